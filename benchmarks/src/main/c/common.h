/* What the C baselines share: clocks, a TAP, a frame, an io_uring without liburing. Each baseline is the shortest loop
 * that a C programmer would write; it is the limit that the backend is measured against, not a product. */
#ifndef RINGTAP_BASELINE_COMMON_H
#define RINGTAP_BASELINE_COMMON_H

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <linux/io_uring.h>
#include <linux/virtio_net.h>
#include <net/if.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#ifndef VIRTIO_NET_HDR_GSO_UDP_L4
#define VIRTIO_NET_HDR_GSO_UDP_L4 5
#endif

enum { HEADER = 12, ETHER = 14, IPV4 = 20, UDP = 8, TCP = 20 };

static inline void fail(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    exit(1);
}

static inline double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Attaches to the TAP that the harness made, with a 12-byte net header and the build_skb path open (no send limit).
 * Always non-blocking: io_uring hands a write to a blocking TAP over to a worker thread. The run before may still hold
 * the TAP, since the kernel takes an io_uring apart in the background: so a busy one is tried again for a while. */
static inline int open_tap(const char *name)
{
    int fd = open("/dev/net/tun", O_RDWR | O_CLOEXEC | O_NONBLOCK);
    struct ifreq request;
    int header = HEADER;
    int limit = INT32_MAX;
    int tries = 400;
    int result;
    memset(&request, 0, sizeof request);
    strncpy(request.ifr_name, name, IFNAMSIZ - 1);
    request.ifr_flags = IFF_TAP | IFF_NO_PI | IFF_VNET_HDR;
    if (fd < 0)
        fail("open /dev/net/tun");
    while ((result = ioctl(fd, TUNSETIFF, &request)) < 0 && errno == EBUSY && tries-- > 0)
        usleep(5000);
    if (result < 0)
        fail(name);
    if (ioctl(fd, TUNSETVNETHDRSZ, &header) < 0 || ioctl(fd, TUNSETSNDBUF, &limit) < 0)
        fail("set up TAP");
    return fd;
}

static inline uint32_t sum(const uint8_t *bytes, int length, uint32_t start)
{
    uint32_t s = start;
    for (int i = 0; i + 1 < length; i += 2)
        s += (uint32_t)bytes[i] << 8 | bytes[i + 1];
    if (length & 1)
        s += (uint32_t)bytes[length - 1] << 8;
    return s;
}

static inline uint16_t fold(uint32_t s)
{
    while (s >> 16)
        s = (s & 0xffff) + (s >> 16);
    return (uint16_t)s;
}

static inline void put16(uint8_t *at, unsigned value)
{
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
}

/* Net header and frame: UDP or TCP over IPv4 with a begun checksum when gso_size > 0. Returns header + frame length. */
static inline int build(uint8_t *to, const uint8_t *mac, const char *source, const char *destination, int protocol,
    int payload, int gso_size, uint16_t source_port, uint16_t port)
{
    int l4 = protocol == IPPROTO_TCP ? TCP : UDP;
    int total = IPV4 + l4 + payload;
    uint8_t *ether = to + HEADER;
    uint8_t *ip = ether + ETHER;
    uint8_t *transport = ip + IPV4;
    struct virtio_net_hdr *net = (struct virtio_net_hdr *)to;
    uint32_t pseudo;

    memset(to, 0, (size_t)(HEADER + ETHER + total));
    memcpy(ether, mac, 6);
    memcpy(ether + 6, "\x02\x00\x00\x00\x00\x42", 6);
    put16(ether + 12, 0x0800);
    ip[0] = 0x45;
    put16(ip + 2, (unsigned)total);
    ip[6] = 0x40;
    ip[8] = 64;
    ip[9] = (uint8_t)protocol;
    inet_pton(AF_INET, source, ip + 12);
    inet_pton(AF_INET, destination, ip + 16);
    put16(ip + 10, (unsigned)(uint16_t)~fold(sum(ip, IPV4, 0)));
    put16(transport, source_port);
    put16(transport + 2, port);
    pseudo = sum(ip + 12, 8, 0) + (uint32_t)protocol + (uint32_t)(l4 + payload);
    if (protocol == IPPROTO_UDP) {
        put16(transport + 4, (unsigned)(UDP + payload));
    } else {
        transport[12] = 0x50;
        transport[13] = 0x10;
        put16(transport + 14, 0xffff);
    }
    if (gso_size > 0) {
        put16(transport + (protocol == IPPROTO_TCP ? 16 : 6), fold(pseudo));
        net->flags = VIRTIO_NET_HDR_F_NEEDS_CSUM;
        net->gso_type = protocol == IPPROTO_TCP ? VIRTIO_NET_HDR_GSO_TCPV4 : VIRTIO_NET_HDR_GSO_UDP_L4;
        net->hdr_len = (uint16_t)(ETHER + IPV4 + l4);
        net->gso_size = (uint16_t)gso_size;
        net->csum_start = ETHER + IPV4;
        net->csum_offset = protocol == IPPROTO_TCP ? 16 : 6;
    }
    return HEADER + ETHER + total;
}

struct uring {
    int fd;
    unsigned *sq_tail, *sq_mask, *cq_head, *cq_tail, *cq_mask;
    struct io_uring_sqe *sqes;
    struct io_uring_cqe *cqes;
    unsigned tail;
};

static inline void open_uring(struct uring *u, unsigned entries)
{
    struct io_uring_params p;
    uint8_t *sq, *cq;
    unsigned *array;
    memset(&p, 0, sizeof p);
    u->fd = (int)syscall(__NR_io_uring_setup, entries, &p);
    if (u->fd < 0)
        fail("io_uring_setup");
    sq = mmap(0, p.sq_off.array + p.sq_entries * sizeof(unsigned), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE,
        u->fd, IORING_OFF_SQ_RING);
    cq = mmap(0, p.cq_off.cqes + p.cq_entries * sizeof(struct io_uring_cqe), PROT_READ | PROT_WRITE,
        MAP_SHARED | MAP_POPULATE, u->fd, IORING_OFF_CQ_RING);
    u->sqes = mmap(0, p.sq_entries * sizeof(struct io_uring_sqe), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE,
        u->fd, IORING_OFF_SQES);
    if (sq == MAP_FAILED || cq == MAP_FAILED || u->sqes == MAP_FAILED)
        fail("mmap io_uring");
    u->sq_tail = (unsigned *)(sq + p.sq_off.tail);
    u->sq_mask = (unsigned *)(sq + p.sq_off.ring_mask);
    u->cq_head = (unsigned *)(cq + p.cq_off.head);
    u->cq_tail = (unsigned *)(cq + p.cq_off.tail);
    u->cq_mask = (unsigned *)(cq + p.cq_off.ring_mask);
    u->cqes = (struct io_uring_cqe *)(cq + p.cq_off.cqes);
    array = (unsigned *)(sq + p.sq_off.array);
    for (unsigned i = 0; i < p.sq_entries; i++)
        array[i] = i;
    u->tail = *u->sq_tail;
}

static inline void register_file(struct uring *u, int fd)
{
    if (syscall(__NR_io_uring_register, u->fd, IORING_REGISTER_FILES, &fd, 1) < 0)
        fail("register file");
}

static inline void register_buffers(struct uring *u, const struct iovec *buffers, unsigned count)
{
    if (syscall(__NR_io_uring_register, u->fd, IORING_REGISTER_BUFFERS, buffers, count) < 0)
        fail("register buffers");
}

static inline void unregister_buffers(struct uring *u)
{
    if (syscall(__NR_io_uring_register, u->fd, IORING_UNREGISTER_BUFFERS, 0, 0) < 0)
        fail("unregister buffers");
}

static inline void read_mac(const char *text, uint8_t *mac)
{
    if (sscanf(text, "%hhx:%hhx:%hhx:%hhx:%hhx:%hhx", mac, mac + 1, mac + 2, mac + 3, mac + 4, mac + 5) != 6) {
        fprintf(stderr, "%s: not a MAC address\n", text);
        exit(2);
    }
}

/* Always the first registered file. index is that of a registered buffer, for the operations that take one. */
static inline void queue(struct uring *u, uint8_t operation, void *buffer, unsigned length, uint64_t tag,
    uint16_t index)
{
    struct io_uring_sqe *sqe = &u->sqes[u->tail++ & *u->sq_mask];
    memset(sqe, 0, sizeof *sqe);
    sqe->opcode = operation;
    sqe->flags = IOSQE_FIXED_FILE;
    sqe->addr = (uint64_t)(uintptr_t)buffer;
    sqe->len = length;
    sqe->off = (uint64_t)-1;
    sqe->user_data = tag;
    sqe->buf_index = index;
}

static inline void enter(struct uring *u, unsigned submit, unsigned wait)
{
    __atomic_store_n(u->sq_tail, u->tail, __ATOMIC_RELEASE);
    if (syscall(__NR_io_uring_enter, u->fd, submit, wait, wait ? IORING_ENTER_GETEVENTS : 0, 0, 0) < 0 && errno != EINTR)
        fail("io_uring_enter");
}

static inline void report(const char *mode, uint64_t packets, uint64_t bytes, uint64_t errors, double wall, double cpu)
{
    printf("{\"mode\":\"%s\",\"packets\":%llu,\"bytes\":%llu,\"errors\":%llu,\"seconds\":%.6f,\"cpuSeconds\":%.6f}\n", mode,
        (unsigned long long)packets, (unsigned long long)bytes, (unsigned long long)errors, wall, cpu);
}

#endif
