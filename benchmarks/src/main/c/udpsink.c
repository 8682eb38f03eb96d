/* udpsink PORT plain|gro FILE
 * Takes datagrams from a UDP socket until it is killed, and keeps the count in FILE: 64-bit numbers, how many datagrams
 * and how many bytes. With gro the kernel may hand over many datagrams in one piece (UDP_GRO); each is counted. */
#include "common.h"
#include <netinet/in.h>
#include <netinet/udp.h>
#include <poll.h>

#ifndef UDP_GRO
#define UDP_GRO 104
#endif

enum { BATCH = 64, SLOT = 65536 };

static uint64_t datagrams(struct msghdr *message, unsigned length)
{
    for (struct cmsghdr *c = CMSG_FIRSTHDR(message); c; c = CMSG_NXTHDR(message, c)) {
        if (c->cmsg_level == SOL_UDP && c->cmsg_type == UDP_GRO) {
            int size;
            memcpy(&size, CMSG_DATA(c), sizeof size);
            return size > 0 ? (length + (unsigned)size - 1) / (unsigned)size : 1;
        }
    }
    return 1;
}

int main(int argc, char **argv)
{
    static struct mmsghdr messages[BATCH];
    static struct iovec vectors[BATCH];
    static uint8_t control[BATCH][64];
    struct sockaddr_in address = {.sin_family = AF_INET};
    int on = 1, buffer = 64 << 20, is_gro, fd, file;
    volatile uint64_t *counters;
    uint8_t *data;
    if (argc != 4) {
        fprintf(stderr, "usage: udpsink PORT plain|gro FILE\n");
        return 2;
    }
    is_gro = !strcmp(argv[2], "gro");
    fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &buffer, sizeof buffer);
    if (is_gro && setsockopt(fd, SOL_UDP, UDP_GRO, &on, sizeof on) < 0)
        fail("UDP_GRO");
    address.sin_port = htons((uint16_t)atoi(argv[1]));
    if (bind(fd, (struct sockaddr *)&address, sizeof address) < 0)
        fail("bind");
    file = open(argv[3], O_RDWR | O_CREAT | O_TRUNC, 0644);
    if (file < 0 || ftruncate(file, 4096) < 0)
        fail(argv[3]);
    counters = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    data = mmap(0, (size_t)BATCH * SLOT, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (counters == MAP_FAILED || data == MAP_FAILED)
        fail("mmap");
    printf("ready\n");
    fflush(stdout);
    for (;;) {
        struct pollfd p = {.fd = fd, .events = POLLIN};
        int n;
        for (int i = 0; i < BATCH; i++) {
            vectors[i] = (struct iovec){data + (size_t)i * SLOT, SLOT};
            messages[i].msg_hdr = (struct msghdr){.msg_iov = &vectors[i], .msg_iovlen = 1, .msg_control = control[i],
                .msg_controllen = sizeof control[i]};
        }
        n = recvmmsg(fd, messages, BATCH, MSG_DONTWAIT, 0);
        if (n <= 0)
            poll(&p, 1, 1000);
        for (int i = 0; i < n; i++) {
            counters[0] += datagrams(&messages[i].msg_hdr, messages[i].msg_len);
            counters[1] += messages[i].msg_len;
        }
    }
}
