// Frames and bytes of each pair of addresses, one value for each processor, as monitoring does it.
#include "net.h"

struct pair {
    __be32 from;
    __be32 to;
};

struct stats {
    __u64 frames;
    __u64 bytes;
    __u32 longest;
    __u32 unused;
};

struct {
    __uint(type, BPF_MAP_TYPE_PERCPU_HASH);
    __uint(max_entries, 1024);
    __type(key, struct pair);
    __type(value, struct stats);
} pairs SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
    __uint(max_entries, 256);
    __type(key, __u32);
    __type(value, __u64);
} protocols SEC(".maps");

SEC("xdp")
int flow_stats(struct xdp_md *ctx)
{
    struct iphdr *ip = plain_ipv4(ctx);
    __u32 length = ctx->data_end - ctx->data, protocol;
    struct stats *known, fresh = {1, length, length, 0};
    struct pair pair;
    __u64 *count;

    if (!ip)
        return XDP_PASS;
    pair.from = ip->saddr;
    pair.to = ip->daddr;
    known = bpf_map_lookup_elem(&pairs, &pair);
    if (known) {
        known->frames++;
        known->bytes += length;
        if (length > known->longest)
            known->longest = length;
    } else {
        bpf_map_update_elem(&pairs, &pair, &fresh, BPF_NOEXIST);
    }
    protocol = ip->protocol;
    count = bpf_map_lookup_elem(&protocols, &protocol);
    if (count)
        *count += 1;
    return XDP_PASS;
}

char LICENSE[] SEC("license") = "Apache-2.0";
