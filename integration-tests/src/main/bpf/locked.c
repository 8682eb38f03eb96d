// Counters that belong together, changed under a spin lock.
#include "net.h"

struct entry {
    __u64 frames;
    struct bpf_spin_lock lock;
    __u32 last;
    __u64 bytes;
};

struct {
    __uint(type, BPF_MAP_TYPE_ARRAY);
    __uint(max_entries, 4);
    __type(key, __u32);
    __type(value, struct entry);
} entries SEC(".maps");

SEC("xdp")
int locked(struct xdp_md *ctx)
{
    struct ethhdr *eth = frame(ctx);
    __u32 length = ctx->data_end - ctx->data, index;
    struct entry *entry;

    if ((void *)(eth + 1) > frame_end(ctx))
        return XDP_DROP;
    index = eth->h_source[5] & 3;
    entry = bpf_map_lookup_elem(&entries, &index);
    if (!entry)
        return XDP_ABORTED;
    bpf_spin_lock(&entry->lock);
    entry->frames++;
    entry->bytes += length;
    entry->last = length;
    bpf_spin_unlock(&entry->lock);
    return entry->frames & 1 ? XDP_PASS : XDP_DROP;
}

char LICENSE[] SEC("license") = "Apache-2.0";
