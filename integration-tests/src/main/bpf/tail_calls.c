// One program for each kind of frame, chosen by tail calls; an empty place in the table falls through.
#include "net.h"

enum { STEP_IPV4, STEP_IPV6, STEP_ARP, STEP_AGAIN, STEP_NONE, STEPS };

struct {
    __uint(type, BPF_MAP_TYPE_ARRAY);
    __uint(max_entries, STEPS);
    __type(key, __u32);
    __type(value, __u64);
} taken SEC(".maps");

static __always_inline void take(__u32 step)
{
    __u64 *count = bpf_map_lookup_elem(&taken, &step);

    if (count)
        *count += 1;
}

int of_ipv4(struct xdp_md *ctx);
int of_ipv6(struct xdp_md *ctx);
int of_arp(struct xdp_md *ctx);
int again(struct xdp_md *ctx);

struct {
    __uint(type, BPF_MAP_TYPE_PROG_ARRAY);
    __uint(max_entries, STEPS);
    __uint(key_size, sizeof(__u32));
    __array(values, int(void *));
} steps SEC(".maps") = {
    .values = {
        [STEP_IPV4] = (void *)&of_ipv4,
        [STEP_IPV6] = (void *)&of_ipv6,
        [STEP_ARP] = (void *)&of_arp,
        [STEP_AGAIN] = (void *)&again,
    },
};

SEC("xdp")
int tail_calls(struct xdp_md *ctx)
{
    struct ethhdr *eth = frame(ctx);
    __u32 step = STEP_NONE;

    if ((void *)(eth + 1) > frame_end(ctx))
        return XDP_ABORTED;
    if (eth->h_proto == bpf_htons(ETH_P_IP))
        step = STEP_IPV4;
    else if (eth->h_proto == bpf_htons(ETH_P_IPV6))
        step = STEP_IPV6;
    else if (eth->h_proto == bpf_htons(ETH_P_ARP))
        step = STEP_ARP;
    else if (eth->h_dest[0] & 1)
        step = STEP_AGAIN;
    bpf_tail_call(ctx, &steps, step);
    take(STEP_NONE);
    return XDP_PASS;
}

SEC("xdp")
int of_ipv4(struct xdp_md *ctx)
{
    take(STEP_IPV4);
    return XDP_PASS;
}

SEC("xdp")
int of_ipv6(struct xdp_md *ctx)
{
    take(STEP_IPV6);
    return XDP_DROP;
}

SEC("xdp")
int of_arp(struct xdp_md *ctx)
{
    take(STEP_ARP);
    return XDP_TX;
}

// Calls itself until the limit of 33 makes the call fall through.
SEC("xdp")
int again(struct xdp_md *ctx)
{
    take(STEP_AGAIN);
    bpf_tail_call(ctx, &steps, STEP_AGAIN);
    return XDP_DROP;
}

char LICENSE[] SEC("license") = "Apache-2.0";
