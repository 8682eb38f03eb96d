/* tapwrite TAP MODE SECONDS MAC SOURCE DESTINATION PORT PAYLOAD SEGMENTS
 * Writes UDP (or TCP) frames into a TAP as fast as one thread can.
 * MODE: write       one write(2) a frame
 *       uring       64 frames an io_uring_enter, registered file
 *       fixed       the same, out of one mapping of all buffers that was registered once
 *       fixed-each  the same, each buffer registered by itself before its batch and given up after it
 *       uso         one write(2) a UDP super-frame of SEGMENTS datagrams
 *       tso         one write(2) a TCP super-frame of SEGMENTS segments */
#include "common.h"

enum { BATCH = 64, CHECK = 16, SLOT = 2048 };

struct job {
    int fd;
    struct uring ring;
    uint8_t *frames;
    struct iovec buffers[BATCH];
    unsigned length;
    int is_fixed, is_each;
    uint64_t errors;
};

static void batch(struct job *j)
{
    struct uring *u = &j->ring;
    unsigned head, tail;
    if (j->is_each)
        register_buffers(u, j->buffers, BATCH);
    for (unsigned i = 0; i < BATCH; i++)
        queue(u, j->is_fixed || j->is_each ? IORING_OP_WRITE_FIXED : IORING_OP_WRITE, j->buffers[i].iov_base, j->length,
            i, (uint16_t)(j->is_each ? i : 0));
    enter(u, BATCH, BATCH);
    head = *u->cq_head;
    tail = __atomic_load_n(u->cq_tail, __ATOMIC_ACQUIRE);
    for (; head != tail; head++)
        j->errors += u->cqes[head & *u->cq_mask].res < 0;
    __atomic_store_n(u->cq_head, head, __ATOMIC_RELEASE);
    if (j->is_each)
        unregister_buffers(u);
}

int main(int argc, char **argv)
{
    static struct job j;
    uint8_t mac[6];
    uint64_t packets = 0, bytes = 0;
    double start, cpu, seconds;
    int payload, segments, is_uring, is_super, protocol;
    const char *mode;
    if (argc != 10) {
        fprintf(stderr, "usage: tapwrite TAP write|uring|fixed|fixed-each|uso|tso SECONDS MAC SOURCE DESTINATION PORT "
            "PAYLOAD SEGMENTS\n");
        return 2;
    }
    mode = argv[2];
    seconds = atof(argv[3]);
    read_mac(argv[4], mac);
    payload = atoi(argv[8]);
    is_super = !strcmp(mode, "uso") || !strcmp(mode, "tso");
    segments = is_super ? atoi(argv[9]) : 1;
    protocol = !strcmp(mode, "tso") ? IPPROTO_TCP : IPPROTO_UDP;
    j.is_fixed = !strcmp(mode, "fixed");
    j.is_each = !strcmp(mode, "fixed-each");
    is_uring = j.is_fixed || j.is_each || !strcmp(mode, "uring");
    j.fd = open_tap(argv[1]);
    j.frames = mmap(0, is_super ? 1 << 17 : BATCH * SLOT, PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    for (int i = 0; i < (is_super ? 1 : BATCH); i++) {
        uint8_t *frame = j.frames + i * SLOT;
        j.length = (unsigned)build(frame, mac, argv[5], argv[6], protocol, payload * segments, is_super ? payload : 0,
            4000, (uint16_t)atoi(argv[7]));
        j.buffers[i] = (struct iovec){frame, SLOT};
    }
    if (is_uring) {
        open_uring(&j.ring, BATCH);
        register_file(&j.ring, j.fd);
    }
    if (j.is_fixed) {
        struct iovec all = {j.frames, BATCH * SLOT};
        register_buffers(&j.ring, &all, 1);
    }
    start = now(CLOCK_MONOTONIC);
    cpu = now(CLOCK_THREAD_CPUTIME_ID);
    while (now(CLOCK_MONOTONIC) - start < seconds) {
        for (int k = 0; k < CHECK; k++) {
            int frames = is_uring ? BATCH : 1;
            if (is_uring)
                batch(&j);
            else
                j.errors += write(j.fd, j.frames, j.length) < 0;
            packets += (uint64_t)frames * (uint64_t)segments;
            bytes += (uint64_t)frames * (j.length - HEADER);
        }
    }
    report(mode, packets, bytes, j.errors, now(CLOCK_MONOTONIC) - start, now(CLOCK_THREAD_CPUTIME_ID) - cpu);
    return 0;
}
