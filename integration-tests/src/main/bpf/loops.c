// Sums a frame's words with bpf_loop, and a table with bpf_for_each_map_elem.
#include "net.h"

struct {
    __uint(type, BPF_MAP_TYPE_ARRAY);
    __uint(max_entries, 16);
    __type(key, __u32);
    __type(value, __u64);
} sums SEC(".maps");

struct walk {
    struct xdp_md *ctx;
};

// Here and not in the walk: the kernel's verifier would follow each turn for what it may have been.
__u64 word_sum;
__u32 words;

static long add_word(__u32 index, struct walk *walk)
{
    __u16 *word = frame(walk->ctx);

    if (index > 1000)
        return 1;
    word += index;
    if ((void *)(word + 1) > frame_end(walk->ctx))
        return 1;
    word_sum += *word;
    words++;
    return 0;
}

static long add_entry(void *map, __u32 *key, __u64 *value, __u64 *total)
{
    *total += *value * (*key + 1);
    *value += 1;
    return *key == 11;
}

SEC("xdp")
int loops(struct xdp_md *ctx)
{
    struct walk walk = {.ctx = ctx};
    __u32 index = 15;
    __u64 total = 0, *sum;
    long turns, visited;

    turns = bpf_loop(2000, add_word, &walk, 0);
    visited = bpf_for_each_map_elem(&sums, add_entry, &total, 0);
    sum = bpf_map_lookup_elem(&sums, &index);
    if (sum)
        *sum += word_sum + total + turns * 7 + visited * 13;
    index = 14;
    sum = bpf_map_lookup_elem(&sums, &index);
    if (sum)
        *sum = bpf_loop(10, add_word, &walk, 1);
    return words & 1 ? XDP_DROP : XDP_PASS;
}

char LICENSE[] SEC("license") = "Apache-2.0";
