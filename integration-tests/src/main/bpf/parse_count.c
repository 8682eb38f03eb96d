// Walks Ethernet, up to two VLAN tags, IPv4 or IPv6 with extension headers, TCP, UDP and ICMP; counts what it met.
#include "net.h"

enum { SHORT, OTHER, ARP, TAGGED, IPV4, IPV6, FRAGMENT, TCP, UDP, ICMP, EXTENSION, UNKNOWN, KINDS };

struct count {
    __u64 frames;
    __u64 bytes;
};

struct {
    __uint(type, BPF_MAP_TYPE_ARRAY);
    __uint(max_entries, KINDS);
    __type(key, __u32);
    __type(value, struct count);
} counts SEC(".maps");

static __always_inline void met(__u32 kind, __u32 bytes)
{
    struct count *count = bpf_map_lookup_elem(&counts, &kind);

    if (count) {
        __sync_fetch_and_add(&count->frames, 1);
        __sync_fetch_and_add(&count->bytes, bytes);
    }
}

static __always_inline int of_protocol(__u8 protocol)
{
    switch (protocol) {
    case IPPROTO_TCP:
        return TCP;
    case IPPROTO_UDP:
        return UDP;
    case IPPROTO_ICMP:
    case IPPROTO_ICMPV6:
        return ICMP;
    default:
        return UNKNOWN;
    }
}

SEC("xdp")
int parse_count(struct xdp_md *ctx)
{
    void *end = frame_end(ctx);
    __u32 bytes = end - frame(ctx);
    struct ethhdr *eth = frame(ctx);
    void *at = eth + 1;
    __be16 proto;

    if (at > end)
        return XDP_ABORTED;
    proto = eth->h_proto;
#pragma unroll
    for (int i = 0; i < 2; i++) {
        struct vlan_header *tag = at;

        if (proto != bpf_htons(ETH_P_8021Q) && proto != bpf_htons(ETH_P_8021AD))
            break;
        if ((void *)(tag + 1) > end) {
            met(SHORT, bytes);
            return XDP_DROP;
        }
        met(TAGGED, bytes);
        proto = tag->proto;
        at = tag + 1;
    }
    if (proto == bpf_htons(ETH_P_IP)) {
        struct iphdr *ip = at;

        if ((void *)(ip + 1) > end || ip->version != 4 || ip->ihl < 5) {
            met(SHORT, bytes);
            return XDP_DROP;
        }
        met(IPV4, bytes);
        if (ip->frag_off & bpf_htons(0x3fff))
            met(FRAGMENT, bytes);
        met(of_protocol(ip->protocol), bpf_ntohs(ip->tot_len));
        return XDP_PASS;
    }
    if (proto == bpf_htons(ETH_P_IPV6)) {
        struct ipv6hdr *ip = at;
        __u8 next;

        if ((void *)(ip + 1) > end || ip->version != 6) {
            met(SHORT, bytes);
            return XDP_DROP;
        }
        met(IPV6, bytes);
        next = ip->nexthdr;
        at = ip + 1;
        for (int i = 0; i < 4; i++) {
            struct ipv6_opt_hdr *option = at;

            if (next != IPPROTO_HOPOPTS && next != IPPROTO_ROUTING && next != IPPROTO_DSTOPTS)
                break;
            if ((void *)(option + 1) > end) {
                met(SHORT, bytes);
                return XDP_DROP;
            }
            met(EXTENSION, bytes);
            next = option->nexthdr;
            at += (option->hdrlen + 1) * 8;
        }
        met(next == IPPROTO_FRAGMENT ? FRAGMENT : of_protocol(next), bytes);
        return XDP_PASS;
    }
    met(proto == bpf_htons(ETH_P_ARP) ? ARP : OTHER, bytes);
    return XDP_PASS;
}

char LICENSE[] SEC("license") = "Apache-2.0";
