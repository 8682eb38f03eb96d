/* packetwrite INTERFACE MODE SECONDS MAC SOURCE DESTINATION PORT PAYLOAD FLUSH VERSION HEADER BYPASS [FLUSHER-CPU]
 * Sends UDP frames through a packet socket as fast as one thread can.
 * MODE: ring     a mapped TX_RING, one sendto(2) every FLUSH frames
 *       flusher  the same ring; a second thread on FLUSHER-CPU flushes all the time, this one makes no system call
 *       send     one send(2) a frame
 * VERSION: 2 or 3, the layout of the ring (TPACKET_V2, TPACKET_V3).
 * HEADER: none   plain frames: the kernel takes 14 bytes of each and refers to the ring's pages for the rest
 *         short  with a net header (PACKET_VNET_HDR) whose hdr_len is 0: the same
 *         whole  with a net header whose hdr_len says that the frame is all headers: the kernel copies it at once
 * BYPASS: 1 past the queueing discipline (PACKET_QDISC_BYPASS), 0 through it. */
#include "common.h"

#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <pthread.h>
#include <sched.h>

enum { SLOT = 1600, BLOCK = 1 << 16, BLOCKS = 13, PER_BLOCK = BLOCK / SLOT, SLOTS = BLOCKS * PER_BLOCK, CHECK = 256 };

struct job {
    int fd;
    uint8_t *ring;
    int version, flusher_cpu;
    volatile int is_over;
    uint64_t calls;
};

static volatile uint32_t *status_of(const struct job *j, unsigned i, volatile uint32_t **length, uint8_t **data)
{
    uint8_t *slot = j->ring + (size_t)(i / PER_BLOCK) * BLOCK + (size_t)(i % PER_BLOCK) * SLOT;
    if (j->version == 3) {
        struct tpacket3_hdr *header = (struct tpacket3_hdr *)slot;
        *length = &header->tp_len;
        *data = slot + TPACKET3_HDRLEN - sizeof(struct sockaddr_ll);
        return &header->tp_status;
    }
    *length = &((struct tpacket2_hdr *)slot)->tp_len;
    *data = slot + TPACKET2_HDRLEN - sizeof(struct sockaddr_ll);
    return &((struct tpacket2_hdr *)slot)->tp_status;
}

static void set(int fd, int option, int value)
{
    if (setsockopt(fd, SOL_PACKET, option, &value, sizeof value) < 0)
        fail("setsockopt");
}

static void open_ring(struct job *j)
{
    struct tpacket_req3 request = {.tp_block_size = BLOCK, .tp_block_nr = BLOCKS, .tp_frame_size = SLOT,
        .tp_frame_nr = SLOTS};
    set(j->fd, PACKET_VERSION, j->version == 3 ? TPACKET_V3 : TPACKET_V2);
    set(j->fd, PACKET_LOSS, 1);
    if (setsockopt(j->fd, SOL_PACKET, PACKET_TX_RING, &request,
            j->version == 3 ? sizeof request : sizeof(struct tpacket_req)) < 0)
        fail("TX_RING");
    j->ring = mmap(0, (size_t)BLOCK * BLOCKS, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, j->fd, 0);
    if (j->ring == MAP_FAILED)
        fail("mmap ring");
}

static void *flush_always(void *argument)
{
    struct job *j = argument;
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    CPU_SET((size_t)j->flusher_cpu, &cpus);
    sched_setaffinity(0, sizeof cpus, &cpus);
    while (!j->is_over) {
        sendto(j->fd, 0, 0, MSG_DONTWAIT, 0, 0);
        j->calls++;
    }
    return 0;
}

int main(int argc, char **argv)
{
    static struct job j;
    static uint8_t frame[HEADER + 2048];
    uint8_t mac[6];
    const char *mode;
    struct sockaddr_ll address = {.sll_family = AF_PACKET};
    struct virtio_net_hdr *net = (struct virtio_net_hdr *)frame;
    pthread_t flusher;
    uint64_t packets = 0, bytes = 0, errors = 0;
    double start, cpu, seconds;
    int with_header, length, flush, is_ring, is_flusher, waiting = 0;
    unsigned at = 0;
    if (argc < 13) {
        fprintf(stderr, "usage: packetwrite INTERFACE ring|flusher|send SECONDS MAC SOURCE DESTINATION PORT PAYLOAD "
            "FLUSH 2|3 none|short|whole 0|1 [FLUSHER-CPU]\n");
        return 2;
    }
    mode = argv[2];
    seconds = atof(argv[3]);
    read_mac(argv[4], mac);
    flush = atoi(argv[9]);
    j.version = atoi(argv[10]);
    with_header = strcmp(argv[11], "none") != 0;
    j.flusher_cpu = argc > 13 ? atoi(argv[13]) : 0;
    is_flusher = !strcmp(mode, "flusher");
    is_ring = is_flusher || !strcmp(mode, "ring");
    length = build(frame, mac, argv[5], argv[6], IPPROTO_UDP, atoi(argv[8]), 0, 4000, (uint16_t)atoi(argv[7]));
    if (length > SLOT - (int)TPACKET3_HDRLEN) {
        fprintf(stderr, "%d bytes do not fit a slot\n", length);
        return 2;
    }
    if (!strcmp(argv[11], "whole"))
        net->hdr_len = (uint16_t)(length - HEADER);
    j.fd = socket(AF_PACKET, SOCK_RAW, 0);
    if (j.fd < 0)
        fail("socket");
    if (with_header) {
        int size = HEADER;
        if (setsockopt(j.fd, SOL_PACKET, 24 /* PACKET_VNET_HDR_SZ */, &size, sizeof size) < 0)
            fail("PACKET_VNET_HDR_SZ");
    }
    if (atoi(argv[12]))
        set(j.fd, PACKET_QDISC_BYPASS, 1);
    if (is_ring)
        open_ring(&j);
    address.sll_ifindex = (int)if_nametoindex(argv[1]);
    if (bind(j.fd, (struct sockaddr *)&address, sizeof address) < 0)
        fail(argv[1]);
    if (is_flusher && pthread_create(&flusher, 0, flush_always, &j))
        fail("pthread_create");
    start = now(CLOCK_MONOTONIC);
    cpu = now(CLOCK_PROCESS_CPUTIME_ID);
    while (now(CLOCK_MONOTONIC) - start < seconds) {
        for (int k = 0; k < CHECK; k++) {
            const uint8_t *from = with_header ? frame : frame + HEADER;
            unsigned size = (unsigned)(with_header ? length : length - HEADER);
            if (is_ring) {
                volatile uint32_t *tp_len;
                uint8_t *data;
                volatile uint32_t *status = status_of(&j, at, &tp_len, &data);
                if (__atomic_load_n(status, __ATOMIC_ACQUIRE) != TP_STATUS_AVAILABLE) {
                    if (!is_flusher)
                        j.calls++, sendto(j.fd, 0, 0, MSG_DONTWAIT, 0, 0);
                    continue;
                }
                memcpy(data, from, size);
                *tp_len = size;
                __atomic_store_n(status, TP_STATUS_SEND_REQUEST, __ATOMIC_RELEASE);
                at = at + 1 == SLOTS ? 0 : at + 1;
                if (!is_flusher && ++waiting >= flush) {
                    waiting = 0;
                    j.calls++;
                    errors += sendto(j.fd, 0, 0, MSG_DONTWAIT, 0, 0) < 0;
                }
            } else {
                j.calls++;
                errors += send(j.fd, from, size, 0) < 0;
            }
            packets++;
            bytes += (uint64_t)(length - HEADER);
        }
    }
    seconds = now(CLOCK_MONOTONIC) - start;
    cpu = now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    j.is_over = 1;
    if (is_flusher)
        pthread_join(flusher, 0);
    report(mode, packets, bytes, errors, seconds, cpu);
    return 0;
}
