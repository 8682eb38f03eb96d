// A bucket of tokens for each source address. The clock is a variable of the control side, so that runs can be compared.
#include "net.h"

struct bucket {
    __u64 filled;
    __u32 tokens;
    __u32 dropped;
};

struct {
    __uint(type, BPF_MAP_TYPE_HASH);
    __uint(max_entries, 256);
    __type(key, __be32);
    __type(value, struct bucket);
} buckets SEC(".maps");

const volatile __u32 burst = 4;
const volatile __u64 interval = 1000;
volatile __u64 now;
volatile __u64 turned_away;

SEC("xdp")
int rate_limit(struct xdp_md *ctx)
{
    struct iphdr *ip = plain_ipv4(ctx);
    struct bucket *bucket, fresh = {};
    __u64 earned;
    __be32 source;

    now += 100;
    if (!ip)
        return XDP_PASS;
    source = ip->saddr;
    bucket = bpf_map_lookup_elem(&buckets, &source);
    if (!bucket) {
        fresh.filled = now;
        fresh.tokens = burst - 1;
        if (bpf_map_update_elem(&buckets, &source, &fresh, BPF_NOEXIST)) {
            turned_away++;
            return XDP_DROP;
        }
        return XDP_PASS;
    }
    earned = interval ? (now - bucket->filled) / interval : burst;
    if (earned) {
        bucket->tokens = bucket->tokens + earned > burst ? burst : bucket->tokens + earned;
        bucket->filled += earned * interval;
    }
    if (!bucket->tokens) {
        bucket->dropped++;
        return XDP_DROP;
    }
    bucket->tokens--;
    return XDP_PASS;
}

char LICENSE[] SEC("license") = "Apache-2.0";
