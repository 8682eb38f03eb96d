/* What needs more kinds of maps and helpers: maps of maps, tail calls, callbacks, locks. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

char _license[] SEC("license") = "GPL";

int tail_drop(struct xdp_md *ctx);
int tail_pass(struct xdp_md *ctx);

struct
{
    __uint(type, BPF_MAP_TYPE_PROG_ARRAY);
    __uint(max_entries, 4);
    __uint(key_size, 4);
    __array(values, int(struct xdp_md *));
} jumps SEC(".maps") = {.values = {[0] = (void *)&tail_drop, [2] = (void *)&tail_pass}};

struct inner
{
    __uint(type, BPF_MAP_TYPE_ARRAY);
    __type(key, __u32);
    __type(value, __u64);
    __uint(max_entries, 2);
} inner_one SEC(".maps"), inner_two SEC(".maps");

struct
{
    __uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
    __uint(max_entries, 4);
    __type(key, __u32);
    __array(values, struct inner);
} outer SEC(".maps") = {.values = {&inner_one, 0, &inner_two}};

struct
{
    __uint(type, BPF_MAP_TYPE_HASH_OF_MAPS);
    __uint(max_entries, 4);
    __type(key, __u32);
    __array(values, struct inner);
} outer_hash SEC(".maps") = {.values = {[1] = &inner_two}};

struct locked
{
    __u32 count;
    struct bpf_spin_lock lock;
};

struct
{
    __uint(type, BPF_MAP_TYPE_ARRAY);
    __type(key, __u32);
    __type(value, struct locked);
    __uint(max_entries, 1);
} locks SEC(".maps");

struct
{
    __uint(type, BPF_MAP_TYPE_RINGBUF);
    __uint(max_entries, 4096);
} events SEC(".maps");

struct
{
    __uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
    __uint(key_size, 4);
    __uint(value_size, 4);
} samples SEC(".maps");

SEC("xdp") int tail_drop(struct xdp_md *ctx)
{
    return XDP_DROP;
}

SEC("xdp") int tail_pass(struct xdp_md *ctx)
{
    return XDP_PASS;
}

SEC("xdp") int jump(struct xdp_md *ctx)
{
    bpf_tail_call(ctx, &jumps, ctx->rx_queue_index);
    return XDP_TX;
}

SEC("xdp") int nested(struct xdp_md *ctx)
{
    __u32 key = ctx->rx_queue_index;
    __u32 zero = 0;
    void *map = bpf_map_lookup_elem(&outer, &key);
    __u64 *value;

    if (!map)
    {
        return XDP_DROP;
    }
    value = bpf_map_lookup_elem(map, &zero);
    if (!value)
    {
        return XDP_ABORTED;
    }
    *value += 1;
    return XDP_PASS;
}

SEC("xdp") int nested_hash(struct xdp_md *ctx)
{
    __u32 key = 1;
    __u32 one = 1;
    void *map = bpf_map_lookup_elem(&outer_hash, &key);
    __u64 *value = map ? bpf_map_lookup_elem(map, &one) : 0;

    if (!value)
    {
        return XDP_DROP;
    }
    *value += 5;
    return XDP_PASS;
}

static long count(__u32 index, void *data)
{
    *(__u64 *)data += index;
    return index == 4;
}

SEC("xdp") int loop(struct xdp_md *ctx)
{
    __u64 sum = 0;

    bpf_loop(100, count, &sum, 0);
    return sum == 10 ? XDP_PASS : XDP_DROP;
}

SEC("xdp") int lock(struct xdp_md *ctx)
{
    __u32 zero = 0;
    struct locked *value = bpf_map_lookup_elem(&locks, &zero);

    if (!value)
    {
        return XDP_ABORTED;
    }
    bpf_spin_lock(&value->lock);
    value->count++;
    bpf_spin_unlock(&value->lock);
    return XDP_PASS;
}
