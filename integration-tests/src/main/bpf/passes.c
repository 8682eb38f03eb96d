// Programs that let every frame pass, by more or less work.
#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <linux/in.h>
#include <linux/ip.h>
#include <linux/udp.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

SEC("xdp")
int pass(struct xdp_md *ctx)
{
    return XDP_PASS;
}

static __always_inline struct udphdr *udp(struct xdp_md *ctx)
{
    struct ethhdr *eth = (void *)(long)ctx->data;
    struct iphdr *ip = (void *)(eth + 1);
    struct udphdr *udp = (void *)(ip + 1);

    if ((void *)(udp + 1) > (void *)(long)ctx->data_end)
        return 0;
    if (eth->h_proto != bpf_htons(ETH_P_IP) || ip->ihl != 5 || ip->protocol != IPPROTO_UDP)
        return 0;
    return udp;
}

// Nobody sends to port 1.
SEC("xdp")
int parse(struct xdp_md *ctx)
{
    struct udphdr *header = udp(ctx);

    return header && header->dest == bpf_htons(1) ? XDP_DROP : XDP_PASS;
}

SEC("xdp")
int may_write(struct xdp_md *ctx)
{
    struct udphdr *header = udp(ctx);

    if (header && header->dest == bpf_htons(1))
        header->dest = bpf_htons(2);
    return XDP_PASS;
}

char LICENSE[] SEC("license") = "Apache-2.0";
