/* tapload INTERFACE SIZE FLOWS
 * Sends UDP frames of SIZE bytes out of an interface until it is killed: what a host does to a guest behind a TAP.
 * An AF_PACKET ring flushed once a 64 frames, past the queueing discipline. */
#include "common.h"
#include <linux/if_ether.h>
#include <linux/if_packet.h>

enum { FRAME = 2048, FRAMES = 512, BURST = 64 };

int main(int argc, char **argv)
{
    static uint8_t packet[HEADER + FRAME];
    static const uint8_t guest[6] = {0x52, 0x54, 0, 0x12, 0x34, 0x02};
    struct tpacket_req layout = {.tp_block_size = 1 << 16, .tp_frame_size = FRAME, .tp_block_nr = FRAME * FRAMES >> 16,
        .tp_frame_nr = FRAMES};
    struct sockaddr_ll address = {.sll_family = AF_PACKET};
    int version = TPACKET_V2, on = 1, fd, size, flows;
    unsigned next = 0;
    uint8_t *ring;
    if (argc != 4) {
        fprintf(stderr, "usage: tapload INTERFACE SIZE FLOWS\n");
        return 2;
    }
    size = atoi(argv[2]);
    flows = atoi(argv[3]);
    if (size < ETHER + IPV4 + UDP || size > FRAME - (int)TPACKET2_HDRLEN || flows < 1)
        return 2;
    fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
    if (fd < 0 || setsockopt(fd, SOL_PACKET, PACKET_VERSION, &version, sizeof version) < 0 ||
        setsockopt(fd, SOL_PACKET, PACKET_QDISC_BYPASS, &on, sizeof on) < 0 ||
        setsockopt(fd, SOL_PACKET, PACKET_TX_RING, &layout, sizeof layout) < 0)
        fail("packet socket");
    ring = mmap(0, (size_t)FRAME * FRAMES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, 0);
    address.sll_ifindex = (int)if_nametoindex(argv[1]);
    if (ring == MAP_FAILED || bind(fd, (struct sockaddr *)&address, sizeof address) < 0)
        fail(argv[1]);
    for (int i = 0; i < FRAMES; i++) {
        struct tpacket2_hdr *header = (void *)(ring + (size_t)i * FRAME);
        build(packet, guest, "198.18.7.1", "198.18.7.2", IPPROTO_UDP, size - ETHER - IPV4 - UDP, 0,
            (uint16_t)(4000 + i % flows), 9);
        memcpy((uint8_t *)header + TPACKET2_HDRLEN - sizeof(struct sockaddr_ll), packet + HEADER, (size_t)size);
        header->tp_len = (unsigned)size;
    }
    for (;;) {
        for (int i = 0; i < BURST; i++) {
            struct tpacket2_hdr *header = (void *)(ring + (size_t)next * FRAME);
            if (__atomic_load_n(&header->tp_status, __ATOMIC_ACQUIRE) != TP_STATUS_AVAILABLE)
                break;
            __atomic_store_n(&header->tp_status, TP_STATUS_SEND_REQUEST, __ATOMIC_RELEASE);
            next = next + 1 == FRAMES ? 0 : next + 1;
        }
        send(fd, 0, 0, MSG_DONTWAIT);
    }
}
