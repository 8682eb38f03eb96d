# Words that the tests use in the guest.

# busybox prefers its own applet to the program in the path
ping() { /usr/bin/ping "$@"; }
ip() { /usr/bin/ip "$@"; }

# up ADDRESS/PREFIX [MTU]: the NIC comes up without IPv6, so that nothing but the test is on the wire
up() {
  echo 1 >/proc/sys/net/ipv6/conf/eth0/disable_ipv6
  [ -z "$2" ] || ip link set eth0 mtu "$2" || return 1
  ip addr add "$1" dev eth0 && ip link set eth0 up
}

# counter NAME: one of the NIC's statistics
counter() { cat /sys/class/net/eth0/statistics/$1; }

# features: numbers of the virtio features that the driver took
features() {
  bits=$(cat /sys/class/net/eth0/device/features)
  number=0
  while [ $number -lt ${#bits} ]; do
    [ "${bits:$number:1}" = 0 ] || printf '%s ' $number
    number=$((number + 1))
  done
  echo
}

# aim COUNT SIZE BURST DESTINATION-MAC DESTINATION SOURCE [PORT] [FLOWS] [DELAY-NS]: sets the kernel's packet generator up
aim() {
  echo rem_device_all >/proc/net/pktgen/kpktgend_0
  echo "add_device eth0" >/proc/net/pktgen/kpktgend_0
  for setting in "count $1" "pkt_size $2" "clone_skb 0" "delay ${9:-0}" "dst_mac $4" "dst $5" "src_min $6" "src_max $6" \
    "udp_src_min 40000" "udp_src_max $((40000 + ${8:-1}))" "udp_dst_min ${7:-9}" "udp_dst_max ${7:-9}" "burst $3"; do
    echo "$setting" >/proc/net/pktgen/eth0 || return 1
  done
}

# generate ...as aim: the packet generator to its end; its own report is in /tmp/pktgen
generate() {
  aim "$@" || return 1
  echo start >/proc/net/pktgen/pgctrl
  # a burst that the queue took only in part is made up for by a whole one, so more than COUNT may have been sent
  cat /proc/net/pktgen/eth0 >/tmp/pktgen
  sed -n 's/.*pkts-sofar: \([0-9]*\).*/\1/p' /tmp/pktgen
  echo rem_device_all >/proc/net/pktgen/kpktgend_0
}

# flood ...as aim, with a count of 0: without end, in the background; the generator stops when the link goes down
flood() {
  aim "$@" || return 1
  touch /tmp/flood
  ( while [ -e /tmp/flood ]; do echo start >/proc/net/pktgen/pgctrl; usleep 10000; done ) >/dev/null 2>&1 &
}

# calm: ends the flood
calm() {
  rm /tmp/flood
  echo stop >/proc/net/pktgen/pgctrl
}

# record SECONDS FILTER...: frames that arrive, into /tmp/seen.pcap, in the background
record() {
  seconds=$1
  shift
  rm -f /tmp/seen.pcap
  timeout "$seconds" tcpdump -i eth0 -Q in -B 16384 -s 0 -U --immediate-mode -n -Z root -w /tmp/seen.pcap "$@" >/tmp/record.log 2>&1 &
  recorder=$!
  echo $recorder >/tmp/recorder.pid
  until grep -q 'listening on' /tmp/record.log; do
    kill -0 $recorder || { cat /tmp/record.log; return 1; }
    sleep 0.1
  done
}

# recorded: bytes in the file so far
recorded() { stat -c %s /tmp/seen.pcap; }

# stop_recording: ends the recorder and waits for it
stop_recording() {
  kill "$(cat /tmp/recorder.pid)"
  while kill -0 "$(cat /tmp/recorder.pid)" 2>/dev/null; do sleep 0.1; done
}

# same REFERENCE: the recorded frames are those of the reference, byte for byte and in order
same() {
  tcpdump -r "$1" -xx -n -t 2>/dev/null >/tmp/sent.txt
  tcpdump -r /tmp/seen.pcap -xx -n -t 2>/dev/null >/tmp/seen.txt
  if cmp /tmp/sent.txt /tmp/seen.txt; then md5sum </tmp/seen.txt; else diff /tmp/sent.txt /tmp/seen.txt | head -40; false; fi
}

# receive PORT: one TCP stream into /tmp/stream, in the background
receive() {
  nc -l -p "$1" >/tmp/stream 2>/tmp/receive.log </dev/null &
  echo $! >/tmp/receiver.pid
  until grep -q "$(printf ':%04X ' "$1")" /proc/net/tcp /proc/net/tcp6; do
    kill -0 "$(cat /tmp/receiver.pid)" || { cat /tmp/receive.log; return 1; }
    sleep 0.1
  done
}

# received: waits for the stream's end and digests it
received() {
  while kill -0 "$(cat /tmp/receiver.pid)" 2>/dev/null; do sleep 0.1; done
  sha256sum </tmp/stream
}

# rebind: the driver lets go of the NIC and takes it again
rebind() {
  device=$(basename "$(readlink -f /sys/class/net/eth0/device)")
  echo "$device" >/sys/bus/virtio/drivers/virtio_net/unbind || return 1
  sleep 0.3
  echo "$device" >/sys/bus/virtio/drivers/virtio_net/bind
}
