// Tells a reader about every frame through a ring buffer: reserved and submitted, discarded, or copied.
#include "net.h"

struct event {
    __u32 length;
    __u16 proto;
    __u16 kind;
    __u8 source[ETH_ALEN];
    __u8 unused[2];
};

struct {
    __uint(type, BPF_MAP_TYPE_RINGBUF);
    __uint(max_entries, 1 << 16);
} ring SEC(".maps");

volatile __u64 lost;

SEC("xdp")
int events(struct xdp_md *ctx)
{
    struct ethhdr *eth = frame(ctx);
    void *end = frame_end(ctx);
    struct event *event, copy = {};

    if ((void *)(eth + 1) > end)
        return XDP_DROP;
    event = bpf_ringbuf_reserve(&ring, sizeof(*event), 0);
    if (!event) {
        lost++;
        return XDP_DROP;
    }
    event->length = end - frame(ctx);
    event->proto = bpf_ntohs(eth->h_proto);
    event->kind = 1;
    __builtin_memcpy(event->source, eth->h_source, ETH_ALEN);
    event->unused[0] = 0;
    event->unused[1] = 0;
    if (eth->h_proto == bpf_htons(ETH_P_ARP)) {
        bpf_ringbuf_discard(event, 0);
        return XDP_PASS;
    }
    copy = *event;
    bpf_ringbuf_submit(event, BPF_RB_NO_WAKEUP);
    if (copy.length > 100) {
        copy.kind = 2;
        if (bpf_ringbuf_output(&ring, &copy, 14, 0))
            lost++;
    }
    return XDP_PASS;
}

char LICENSE[] SEC("license") = "Apache-2.0";
