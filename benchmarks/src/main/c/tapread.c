/* tapread TAP MODE SECONDS
 * Reads frames from a TAP as fast as one thread can, under whatever load the harness sends into it.
 * MODE: read    read(2) a frame, poll(2) when there is none
 *       uring   rounds of 64 reads in one io_uring_enter; poll(2) when a round found nothing */
#include "common.h"
#include <poll.h>

#ifndef RWF_NOWAIT
#define RWF_NOWAIT 8
#endif

enum { BATCH = 64, SLOT = 2048, PATIENCE_MS = 10 };

struct count {
    uint64_t packets, bytes;
};

static void wait_for_frames(int fd)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    poll(&p, 1, PATIENCE_MS);
}

static void read_loop(int fd, double end, struct count *c)
{
    static uint8_t buffer[HEADER + 65550];
    for (unsigned turn = 0; (turn & 63) != 0 || now(CLOCK_MONOTONIC) < end; turn++) {
        ssize_t n = read(fd, buffer, sizeof buffer);
        if (n > HEADER) {
            c->packets++;
            c->bytes += (uint64_t)(n - HEADER);
        } else if (n < 0 && errno == EAGAIN) {
            wait_for_frames(fd);
        }
    }
}

static void uring_loop(int fd, double end, struct count *c)
{
    static uint8_t buffers[BATCH][SLOT];
    struct uring ring;
    open_uring(&ring, BATCH);
    register_file(&ring, fd);
    while (now(CLOCK_MONOTONIC) < end) {
        uint64_t before = c->packets;
        unsigned head, tail;
        for (unsigned i = 0; i < BATCH; i++) {
            queue(&ring, IORING_OP_READ, buffers[i], SLOT, i, 0);
            /* Without it a read of an empty TAP would stay armed, one wake-up a frame. */
            ring.sqes[(ring.tail - 1) & *ring.sq_mask].rw_flags = RWF_NOWAIT;
        }
        enter(&ring, BATCH, BATCH);
        head = *ring.cq_head;
        tail = __atomic_load_n(ring.cq_tail, __ATOMIC_ACQUIRE);
        for (; head != tail; head++) {
            int result = ring.cqes[head & *ring.cq_mask].res;
            if (result > HEADER) {
                c->packets++;
                c->bytes += (uint64_t)(result - HEADER);
            }
        }
        __atomic_store_n(ring.cq_head, head, __ATOMIC_RELEASE);
        if (before == c->packets)
            wait_for_frames(fd);
    }
}

int main(int argc, char **argv)
{
    struct count c = {0, 0};
    double start, cpu;
    int fd;
    if (argc != 4) {
        fprintf(stderr, "usage: tapread TAP read|uring SECONDS\n");
        return 2;
    }
    fd = open_tap(argv[1]);
    start = now(CLOCK_MONOTONIC);
    cpu = now(CLOCK_THREAD_CPUTIME_ID);
    if (!strcmp(argv[2], "uring"))
        uring_loop(fd, start + atof(argv[3]), &c);
    else
        read_loop(fd, start + atof(argv[3]), &c);
    report(argv[2], c.packets, c.bytes, 0, now(CLOCK_MONOTONIC) - start, now(CLOCK_THREAD_CPUTIME_ID) - cpu);
    return 0;
}
