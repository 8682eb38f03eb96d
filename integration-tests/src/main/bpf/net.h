// What the programs of this folder share: the headers of the kernel's interface, and how to walk a frame.
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <linux/icmpv6.h>
#include <linux/if_ether.h>
#include <linux/in.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/tcp.h>
#include <linux/udp.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

// linux/icmp.h wants the C library's headers, which this machine may have for itself only.
#define ICMP_ECHOREPLY 0
#define ICMP_ECHO 8

struct icmphdr {
    __u8 type;
    __u8 code;
    __u16 checksum;
    __u32 rest;
};

struct vlan_header {
    __be16 tci;
    __be16 proto;
};

static __always_inline void *frame(struct xdp_md *ctx)
{
    return (void *)(long)ctx->data;
}

static __always_inline void *frame_end(struct xdp_md *ctx)
{
    return (void *)(long)ctx->data_end;
}

// The IPv4 header without options of an untagged frame; 0 when there is none.
static __always_inline struct iphdr *plain_ipv4(struct xdp_md *ctx)
{
    struct ethhdr *eth = frame(ctx);
    struct iphdr *ip = (void *)(eth + 1);

    if ((void *)(ip + 1) > frame_end(ctx) || eth->h_proto != bpf_htons(ETH_P_IP) || ip->version != 4 || ip->ihl != 5)
        return 0;
    return ip;
}

// Folds a sum of 16-bit words twice: enough for one of 32 bits.
static __always_inline __u16 fold(__u32 sum)
{
    sum = (sum & 0xffff) + (sum >> 16);
    return (sum & 0xffff) + (sum >> 16);
}
