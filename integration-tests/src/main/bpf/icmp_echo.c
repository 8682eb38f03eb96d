// Answers pings of both versions from where they come in.
#include "net.h"

static __always_inline void swap_macs(struct ethhdr *eth)
{
    __u8 mac[ETH_ALEN];

    __builtin_memcpy(mac, eth->h_source, ETH_ALEN);
    __builtin_memcpy(eth->h_source, eth->h_dest, ETH_ALEN);
    __builtin_memcpy(eth->h_dest, mac, ETH_ALEN);
}

// The type is the upper byte of a 16-bit word: the sum falls by what the word falls.
static __always_inline __u16 with_less(__u16 checksum, __u8 fall)
{
    return bpf_htons(fold((__u32)bpf_ntohs(checksum) + (fall << 8)));
}

static __always_inline int answer4(void *at, void *end, struct ethhdr *eth)
{
    struct iphdr *ip = at;
    struct icmphdr *icmp = (void *)(ip + 1);
    __be32 address;

    if ((void *)(icmp + 1) > end || ip->ihl != 5 || ip->protocol != IPPROTO_ICMP || icmp->type != ICMP_ECHO)
        return XDP_PASS;
    icmp->type = ICMP_ECHOREPLY;
    icmp->checksum = with_less(icmp->checksum, ICMP_ECHO);
    address = ip->saddr;
    ip->saddr = ip->daddr;
    ip->daddr = address;
    swap_macs(eth);
    return XDP_TX;
}

static __always_inline int answer6(void *at, void *end, struct ethhdr *eth)
{
    struct ipv6hdr *ip = at;
    struct icmp6hdr *icmp = (void *)(ip + 1);
    struct in6_addr address;

    if ((void *)(icmp + 1) > end || ip->nexthdr != IPPROTO_ICMPV6 || icmp->icmp6_type != ICMPV6_ECHO_REQUEST)
        return XDP_PASS;
    icmp->icmp6_type = ICMPV6_ECHO_REPLY;
    icmp->icmp6_cksum = bpf_htons(~fold((__u16)~bpf_ntohs(icmp->icmp6_cksum) + 0x100));
    address = ip->saddr;
    ip->saddr = ip->daddr;
    ip->daddr = address;
    swap_macs(eth);
    return XDP_TX;
}

SEC("xdp")
int icmp_echo(struct xdp_md *ctx)
{
    struct ethhdr *eth = frame(ctx);
    void *end = frame_end(ctx);

    if ((void *)(eth + 1) > end)
        return XDP_PASS;
    if (eth->h_proto == bpf_htons(ETH_P_IP))
        return answer4(eth + 1, end, eth);
    return eth->h_proto == bpf_htons(ETH_P_IPV6) ? answer6(eth + 1, end, eth) : XDP_PASS;
}

char LICENSE[] SEC("license") = "Apache-2.0";
