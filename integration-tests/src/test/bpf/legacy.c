/* Maps as they were declared before BTF. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

char _license[] SEC("license") = "GPL";

struct bpf_map_def
{
    unsigned int type;
    unsigned int key_size;
    unsigned int value_size;
    unsigned int max_entries;
    unsigned int map_flags;
};

struct bpf_map_def SEC("maps") flows = {
    .type = BPF_MAP_TYPE_PERCPU_HASH, .key_size = 4, .value_size = 8, .max_entries = 10};

struct bpf_map_def SEC("maps") counters = {
    .type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 8, .max_entries = 2};

SEC("xdp") int count(struct xdp_md *ctx)
{
    __u32 one = 1;
    __u64 first = 1;
    __u64 *value = bpf_map_lookup_elem(&counters, &one);

    if (value)
    {
        *value += 1;
    }
    return bpf_map_update_elem(&flows, &one, &first, BPF_ANY) ? XDP_DROP : XDP_PASS;
}
