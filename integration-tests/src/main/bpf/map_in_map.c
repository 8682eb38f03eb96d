// Each VLAN has a table of ports of its own, found by number, and each EtherType a counter found by key.
#include "net.h"

struct ports {
    __uint(type, BPF_MAP_TYPE_HASH);
    __uint(max_entries, 16);
    __type(key, __u16);
    __type(value, __u32);
} red SEC(".maps"), blue SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
    __uint(max_entries, 4);
    __uint(key_size, sizeof(__u32));
    __array(values, struct ports);
} by_vlan SEC(".maps") = {
    .values = { [1] = &red, [2] = &blue },
};

struct counter {
    __uint(type, BPF_MAP_TYPE_ARRAY);
    __uint(max_entries, 1);
    __type(key, __u32);
    __type(value, __u64);
} ipv4 SEC(".maps"), arp SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_HASH_OF_MAPS);
    __uint(max_entries, 4);
    __uint(key_size, sizeof(__u32));
    __array(values, struct counter);
} by_type SEC(".maps");

SEC("xdp")
int map_in_map(struct xdp_md *ctx)
{
    struct ethhdr *eth = frame(ctx);
    struct vlan_header *tag = (void *)(eth + 1);
    struct iphdr *ip = (void *)(tag + 1);
    __u32 zero = 0, vlan, type, *verdict;
    void *inner;
    __u64 *count;
    __u16 port;

    if ((void *)(eth + 1) > frame_end(ctx))
        return XDP_ABORTED;
    type = bpf_ntohs(eth->h_proto);
    inner = bpf_map_lookup_elem(&by_type, &type);
    if (inner) {
        count = bpf_map_lookup_elem(inner, &zero);
        if (count)
            *count += 1;
    }
    if (type != ETH_P_8021Q || (void *)(ip + 1) + 4 > frame_end(ctx) || tag->proto != bpf_htons(ETH_P_IP))
        return XDP_PASS;
    vlan = bpf_ntohs(tag->tci) & 0xfff;
    inner = bpf_map_lookup_elem(&by_vlan, &vlan);
    if (!inner)
        return XDP_DROP;
    port = *(__u16 *)((void *)(ip + 1) + 2);
    verdict = bpf_map_lookup_elem(inner, &port);
    if (verdict)
        return *verdict;
    type = XDP_TX;
    bpf_map_update_elem(inner, &port, &type, BPF_NOEXIST);
    return XDP_PASS;
}

char LICENSE[] SEC("license") = "Apache-2.0";
