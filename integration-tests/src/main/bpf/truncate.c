// Cuts frames to a length, and makes runts as long as the wire wants them.
#include "net.h"

const volatile __u32 snap = 128;
volatile __u64 cut;
volatile __u64 grown;

SEC("xdp")
int truncate(struct xdp_md *ctx)
{
    int length = ctx->data_end - ctx->data;
    int delta = snap - length;
    struct iphdr *ip;

    if (length < 60) {
        if (bpf_xdp_adjust_tail(ctx, 60 - length))
            return XDP_ABORTED;
        grown++;
        return XDP_PASS;
    }
    if (delta >= 0)
        return XDP_PASS;
    if (bpf_xdp_adjust_tail(ctx, delta))
        return XDP_ABORTED;
    cut++;
    ip = plain_ipv4(ctx);
    if (ip) {
        __u32 sum = (__u16)~ip->check + (__u16)~ip->tot_len;

        ip->tot_len = bpf_htons(snap - sizeof(struct ethhdr));
        ip->check = ~fold(sum + ip->tot_len);
    }
    return XDP_TX;
}

char LICENSE[] SEC("license") = "Apache-2.0";
