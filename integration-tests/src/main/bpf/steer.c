// Programs that XdpIT puts on the way of real traffic.
#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <linux/in.h>
#include <linux/ip.h>
#include <linux/tcp.h>
#include <linux/udp.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

struct
{
    __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
    __uint(max_entries, 1);
    __type(key, __u32);
    __type(value, __u64);
} seen SEC(".maps");

struct
{
    __uint(type, BPF_MAP_TYPE_HASH);
    __uint(max_entries, 64);
    __type(key, __u16);
    __type(value, __u64);
} shut SEC(".maps");

struct
{
    __uint(type, BPF_MAP_TYPE_DEVMAP);
    __uint(max_entries, 1);
    __type(key, __u32);
    __type(value, __u32);
} peers SEC(".maps");

// linux/icmp.h wants headers of the C library.
#define ICMP_ECHOREPLY 0
#define ICMP_ECHO 8

struct icmphdr
{
    __u8 type;
    __u8 code;
    __sum16 checksum;
    __be32 rest;
};

// What nat gives the address from for: in the order of the wire.
__be32 from;
__be32 to;
// Where redirect sends: a port's number.
__u32 target;

static __always_inline struct iphdr *ipv4(struct xdp_md *ctx)
{
    void *data = (void *)(long)ctx->data;
    void *end = (void *)(long)ctx->data_end;
    struct ethhdr *eth = data;
    struct iphdr *ip = (void *)(eth + 1);

    if ((void *)(ip + 1) > end || eth->h_proto != bpf_htons(ETH_P_IP) || ip->ihl != 5)
        return 0;
    return ip;
}

static __always_inline void count(void)
{
    const __u32 zero = 0;
    __u64 *frames = bpf_map_lookup_elem(&seen, &zero);

    if (frames)
        (*frames)++;
}

// Looks only: counts every frame, drops UDP to the ports in the map shut and counts there.
SEC("xdp")
int filter(struct xdp_md *ctx)
{
    struct iphdr *ip = ipv4(ctx);
    struct udphdr *udp;
    __u64 *drops;
    __u16 port;

    count();
    if (!ip || ip->protocol != IPPROTO_UDP)
        return XDP_PASS;
    udp = (void *)(ip + 1);
    if ((void *)(udp + 1) > (void *)(long)ctx->data_end)
        return XDP_PASS;
    port = bpf_ntohs(udp->dest);
    drops = bpf_map_lookup_elem(&shut, &port);
    if (!drops)
        return XDP_PASS;
    __sync_fetch_and_add(drops, 1);
    return XDP_DROP;
}

// The same again, so that a replacement is another program.
SEC("xdp")
int second(struct xdp_md *ctx)
{
    count();
    return XDP_PASS;
}

static __always_inline void replace(__sum16 *sum, __be32 old, __be32 new)
{
    __u32 s = (__u16)~*sum + (__u16)~(old & 0xffff) + (__u16)~(old >> 16) + (new & 0xffff) + (new >> 16);

    s = (s & 0xffff) + (s >> 16);
    s = (s & 0xffff) + (s >> 16);
    *sum = ~s;
}

// Gives one address for another, in both places, and corrects checksums by the difference.
SEC("xdp")
int nat(struct xdp_md *ctx)
{
    struct iphdr *ip = ipv4(ctx);
    void *end = (void *)(long)ctx->data_end;
    __be32 *address;
    struct tcphdr *tcp;
    struct udphdr *udp;

    if (!ip)
        return XDP_PASS;
    if (ip->daddr == from)
        address = &ip->daddr;
    else if (ip->saddr == from)
        address = &ip->saddr;
    else
        return XDP_PASS;
    if (ip->protocol == IPPROTO_TCP)
    {
        tcp = (void *)(ip + 1);
        if ((void *)(tcp + 1) > end)
            return XDP_DROP;
        replace(&tcp->check, from, to);
    }
    else if (ip->protocol == IPPROTO_UDP)
    {
        udp = (void *)(ip + 1);
        if ((void *)(udp + 1) > end)
            return XDP_DROP;
        if (udp->check)
            replace(&udp->check, from, to);
    }
    replace(&ip->check, from, to);
    *address = to;
    return XDP_PASS;
}

// Answers echo requests itself.
SEC("xdp")
int reflect(struct xdp_md *ctx)
{
    struct iphdr *ip = ipv4(ctx);
    struct ethhdr *eth = (void *)(long)ctx->data;
    struct icmphdr *icmp;
    unsigned char mac[ETH_ALEN];
    __be32 address;
    __u32 sum;

    if (!ip || ip->protocol != IPPROTO_ICMP)
        return XDP_PASS;
    icmp = (void *)(ip + 1);
    if ((void *)(icmp + 1) > (void *)(long)ctx->data_end || icmp->type != ICMP_ECHO)
        return XDP_PASS;
    __builtin_memcpy(mac, eth->h_dest, ETH_ALEN);
    __builtin_memcpy(eth->h_dest, eth->h_source, ETH_ALEN);
    __builtin_memcpy(eth->h_source, mac, ETH_ALEN);
    address = ip->daddr;
    ip->daddr = ip->saddr;
    ip->saddr = address;
    icmp->type = ICMP_ECHOREPLY;
    sum = (__u16)icmp->checksum + bpf_htons(ICMP_ECHO << 8);
    icmp->checksum = sum + (sum >> 16);
    return XDP_TX;
}

// Sends everything to the port of a number.
SEC("xdp")
int redirect(struct xdp_md *ctx)
{
    return bpf_redirect(target, 0);
}

// Sends everything to the port in the map.
SEC("xdp")
int exchange(struct xdp_md *ctx)
{
    return bpf_redirect_map(&peers, 0, 0);
}

char LICENSE[] SEC("license") = "Apache-2.0";
