// A table of connections: who began, how far the handshake is, frames both ways; answers without a question are dropped.
#include "net.h"

struct flow {
    __be32 from;
    __be32 to;
    __be16 from_port;
    __be16 to_port;
    __u32 protocol;
};

struct connection {
    __u64 forth;
    __u64 back;
    __u32 state;
    __u32 flags;
};

enum { NEW, ANSWERED, CLOSING };

struct {
    __uint(type, BPF_MAP_TYPE_LRU_HASH);
    __uint(max_entries, 8192);
    __type(key, struct flow);
    __type(value, struct connection);
} connections SEC(".maps");

static __noinline __u32 flags_of(struct xdp_md *ctx)
{
    struct tcphdr *tcp = frame(ctx) + sizeof(struct ethhdr) + sizeof(struct iphdr);

    if ((void *)(tcp + 1) > frame_end(ctx))
        return 0;
    return ((__u8 *)tcp)[13];
}

SEC("xdp")
int track(struct xdp_md *ctx)
{
    struct iphdr *ip = plain_ipv4(ctx);
    struct connection *known, fresh = {.forth = 1};
    struct flow flow = {}, back = {};
    __be16 *ports;

    if (!ip || (ip->protocol != IPPROTO_TCP && ip->protocol != IPPROTO_UDP))
        return XDP_PASS;
    ports = (void *)(ip + 1);
    if ((void *)(ports + 2) > frame_end(ctx))
        return XDP_DROP;
    flow.from = back.to = ip->saddr;
    flow.to = back.from = ip->daddr;
    flow.from_port = back.to_port = ports[0];
    flow.to_port = back.from_port = ports[1];
    flow.protocol = back.protocol = ip->protocol;
    if (ip->protocol == IPPROTO_TCP)
        fresh.flags = flags_of(ctx);
    known = bpf_map_lookup_elem(&connections, &back);
    if (known) {
        known->back++;
        known->flags |= fresh.flags << 8;
        if (known->state == NEW)
            known->state = ANSWERED;
        if (fresh.flags & 4)
            bpf_map_delete_elem(&connections, &back);
        return XDP_PASS;
    }
    known = bpf_map_lookup_elem(&connections, &flow);
    if (known) {
        known->forth++;
        known->flags |= fresh.flags;
        if (fresh.flags & 1)
            known->state = CLOSING;
        return XDP_PASS;
    }
    if (flow.protocol == IPPROTO_TCP && (fresh.flags & 0x12) == 0x12)
        return XDP_DROP;
    bpf_map_update_elem(&connections, &flow, &fresh, BPF_ANY);
    return XDP_PASS;
}

char LICENSE[] SEC("license") = "Apache-2.0";
