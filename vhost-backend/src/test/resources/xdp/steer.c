/* Programs to be steered. Made with: clang -target bpf -O2 -g -c steer.c; llvm-strip -g steer.o */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

enum mode
{
    OPEN,
    SHUT,
};

struct tally
{
    __u64 frames;
    __u64 bytes;
};

struct
{
    __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
    __uint(max_entries, 1);
    __type(key, __u32);
    __type(value, struct tally);
} tallies SEC(".maps");

struct
{
    __uint(type, BPF_MAP_TYPE_HASH);
    __uint(max_entries, 16);
    __type(key, __u16);
    __type(value, enum mode);
} modes SEC(".maps");

__u32 limit = 1000;

/* Looks only: counts, and drops what is longer than the limit or shut by its length. */
SEC("xdp")
int gate(struct xdp_md *ctx)
{
    const __u16 length = ctx->data_end - ctx->data;
    const __u32 zero = 0;
    struct tally *tally = bpf_map_lookup_elem(&tallies, &zero);
    enum mode *mode = bpf_map_lookup_elem(&modes, &length);

    if (tally)
    {
        tally->frames++;
        tally->bytes += length;
    }
    if (mode && *mode == SHUT)
        return XDP_DROP;
    return length > limit ? XDP_DROP : XDP_PASS;
}

/* Changes: marks a frame and says so. */
SEC("xdp.frags")
int mark(struct xdp_md *ctx)
{
    unsigned char *frame = (void *)(long)ctx->data;

    if (frame + 14 > (unsigned char *)(long)ctx->data_end)
        return XDP_ABORTED;
    frame[5] = 0x77;
    bpf_printk("marked %d bytes", (int)(ctx->data_end - ctx->data));
    return XDP_PASS;
}

/* Goes wrong: reads what is not its own. */
SEC("xdp")
int stray(struct xdp_md *ctx)
{
    return *(volatile __u32 *)(long)(ctx->data_end + 4);
}

char _license[] SEC("license") = "Apache-2.0";
