// Rewrites destination address and port of TCP and UDP by a table, and both checksums by what changed.
#include "net.h"

struct target {
    __be32 address;
    __be16 port;
    __u16 unused;
};

struct {
    __uint(type, BPF_MAP_TYPE_HASH);
    __uint(max_entries, 64);
    __type(key, struct target);
    __type(value, struct target);
} targets SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
    __uint(max_entries, 1);
    __type(key, __u32);
    __type(value, __u64);
} hits SEC(".maps");

static __always_inline __u16 update(__u16 checksum, __be32 *from, __be32 *to, __u32 length)
{
    return ~fold(bpf_csum_diff(from, length, to, length, (__u16)~checksum));
}

SEC("xdp")
int nat(struct xdp_md *ctx)
{
    void *end = frame_end(ctx);
    struct iphdr *ip = plain_ipv4(ctx);
    struct target key = {}, *to;
    __be32 from[2], into[2];
    __be16 *ports;
    __u16 *checksum;
    __u32 zero = 0;
    __u64 *hit;

    if (!ip || ip->frag_off & bpf_htons(0x1fff))
        return XDP_PASS;
    ports = (void *)(ip + 1);
    if (ip->protocol == IPPROTO_TCP && (void *)ports + sizeof(struct tcphdr) <= end)
        checksum = (void *)ports + __builtin_offsetof(struct tcphdr, check);
    else if (ip->protocol == IPPROTO_UDP && (void *)ports + sizeof(struct udphdr) <= end)
        checksum = (void *)ports + __builtin_offsetof(struct udphdr, check);
    else
        return XDP_PASS;
    key.address = ip->daddr;
    key.port = ports[1];
    to = bpf_map_lookup_elem(&targets, &key);
    if (!to)
        return XDP_PASS;
    from[0] = key.address;
    from[1] = key.port;
    into[0] = to->address;
    into[1] = to->port;
    ip->check = update(ip->check, from, into, 4);
    // A datagram without a checksum keeps none.
    if (ip->protocol == IPPROTO_TCP || *checksum)
        *checksum = update(*checksum, from, into, 8);
    ip->daddr = to->address;
    ports[1] = to->port;
    hit = bpf_map_lookup_elem(&hits, &zero);
    if (hit)
        *hit += 1;
    return XDP_TX;
}

char LICENSE[] SEC("license") = "Apache-2.0";
