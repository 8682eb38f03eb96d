// Programs that say what a recording keeps: CaptureIT and the benchmark of recordings.
#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <linux/in.h>
#include <linux/ip.h>
#include <linux/udp.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

#define DNS 53

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

// Datagrams to port 53.
SEC("xdp")
int dns(struct xdp_md *ctx)
{
    struct iphdr *ip = ipv4(ctx);
    struct udphdr *udp;

    if (!ip || ip->protocol != IPPROTO_UDP)
        return XDP_DROP;
    udp = (void *)(ip + 1);
    if ((void *)(udp + 1) > (void *)(long)ctx->data_end || udp->dest != bpf_htons(DNS))
        return XDP_DROP;
    return XDP_PASS;
}

// ICMP; writes to what it keeps, which must not be seen in the recording.
SEC("xdp")
int icmp(struct xdp_md *ctx)
{
    struct iphdr *ip = ipv4(ctx);

    if (!ip || ip->protocol != IPPROTO_ICMP)
        return XDP_DROP;
    ip->ttl = 0;
    return XDP_PASS;
}

char LICENSE[] SEC("license") = "Apache-2.0";
