// Pushes a VLAN tag in front of IPv4 and pops any other's: the frame's start moves both ways.
#include "net.h"

const volatile __u16 vlan_id = 42;

static __always_inline int push(struct xdp_md *ctx, struct ethhdr *old)
{
    struct ethhdr copy = *old;
    struct vlan_header *tag;
    struct ethhdr *eth;

    if (bpf_xdp_adjust_head(ctx, -(int)sizeof(*tag)))
        return XDP_ABORTED;
    eth = frame(ctx);
    tag = (void *)(eth + 1);
    if ((void *)(tag + 1) > frame_end(ctx))
        return XDP_ABORTED;
    __builtin_memcpy(eth, &copy, sizeof(copy));
    tag->proto = copy.h_proto;
    tag->tci = bpf_htons(vlan_id);
    eth->h_proto = bpf_htons(ETH_P_8021Q);
    return XDP_PASS;
}

static __always_inline int pop(struct xdp_md *ctx, struct ethhdr *old)
{
    struct vlan_header *tag = (void *)(old + 1);
    struct ethhdr copy = *old;
    struct ethhdr *eth;

    if ((void *)(tag + 1) > frame_end(ctx))
        return XDP_DROP;
    copy.h_proto = tag->proto;
    // Too short a frame stays tagged.
    if (bpf_xdp_adjust_head(ctx, sizeof(*tag)))
        return XDP_TX;
    eth = frame(ctx);
    if ((void *)(eth + 1) > frame_end(ctx))
        return XDP_ABORTED;
    __builtin_memcpy(eth, &copy, sizeof(copy));
    return XDP_PASS;
}

SEC("xdp")
int vlan(struct xdp_md *ctx)
{
    struct ethhdr *eth = frame(ctx);

    if ((void *)(eth + 1) > frame_end(ctx))
        return XDP_DROP;
    if (eth->h_proto == bpf_htons(ETH_P_8021Q) || eth->h_proto == bpf_htons(ETH_P_8021AD))
        return pop(ctx, eth);
    return eth->h_proto == bpf_htons(ETH_P_IP) ? push(ctx, eth) : XDP_PASS;
}

char LICENSE[] SEC("license") = "Apache-2.0";
