// Lets the longest prefix of the source address decide, for both versions of IP.
#include "net.h"

struct key4 {
    __u32 length;
    __be32 address;
};

struct key6 {
    __u32 length;
    struct in6_addr address;
};

struct rule {
    __u32 verdict;
    __u32 hits;
};

struct {
    __uint(type, BPF_MAP_TYPE_LPM_TRIE);
    __uint(map_flags, BPF_F_NO_PREALLOC);
    __uint(max_entries, 1024);
    __type(key, struct key4);
    __type(value, struct rule);
} rules4 SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_LPM_TRIE);
    __uint(map_flags, BPF_F_NO_PREALLOC);
    __uint(max_entries, 1024);
    __type(key, struct key6);
    __type(value, struct rule);
} rules6 SEC(".maps");

SEC("xdp")
int acl_lpm(struct xdp_md *ctx)
{
    struct ethhdr *eth = frame(ctx);
    void *end = frame_end(ctx);
    struct rule *rule = 0;

    if ((void *)(eth + 1) > end)
        return XDP_DROP;
    if (eth->h_proto == bpf_htons(ETH_P_IP)) {
        struct iphdr *ip = (void *)(eth + 1);
        struct key4 key = {32};

        if ((void *)(ip + 1) > end)
            return XDP_DROP;
        key.address = ip->saddr;
        rule = bpf_map_lookup_elem(&rules4, &key);
    } else if (eth->h_proto == bpf_htons(ETH_P_IPV6)) {
        struct ipv6hdr *ip = (void *)(eth + 1);
        struct key6 key = {128};

        if ((void *)(ip + 1) > end)
            return XDP_DROP;
        key.address = ip->saddr;
        rule = bpf_map_lookup_elem(&rules6, &key);
    }
    if (!rule)
        return XDP_PASS;
    __sync_fetch_and_add(&rule->hits, 1);
    return rule->verdict;
}

char LICENSE[] SEC("license") = "Apache-2.0";
