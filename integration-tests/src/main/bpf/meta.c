// Puts a mark in front of the frame, as programs do that hand something to who comes after them.
#include "net.h"

struct mark {
    __u32 hash;
    __u32 length;
};

SEC("xdp")
int meta(struct xdp_md *ctx)
{
    __u32 length = ctx->data_end - ctx->data;
    struct mark *mark;
    __u8 *bytes;

    if (length & 1) {
        // No multiple of 4.
        if (bpf_xdp_adjust_meta(ctx, -6) != -13)
            return XDP_ABORTED;
    }
    if (bpf_xdp_adjust_meta(ctx, -(int)sizeof(*mark)))
        return XDP_DROP;
    mark = (void *)(long)ctx->data_meta;
    bytes = frame(ctx);
    if ((void *)(mark + 1) > (void *)bytes || (void *)(bytes + 14) > frame_end(ctx))
        return XDP_DROP;
    mark->hash = 0;
#pragma unroll
    for (int i = 0; i < 14; i++)
        mark->hash = mark->hash * 31 + bytes[i];
    mark->length = length;
    if (mark->hash & 1)
        return XDP_PASS;
    // Metadata moves along when the frame grows at its front.
    if (bpf_xdp_adjust_head(ctx, -4))
        return XDP_DROP;
    mark = (void *)(long)ctx->data_meta;
    bytes = frame(ctx);
    if ((void *)(mark + 1) > (void *)bytes || (void *)(bytes + 4) > frame_end(ctx))
        return XDP_DROP;
    mark->length += 4;
    *(__u32 *)bytes = mark->hash;
    return XDP_TX;
}

char LICENSE[] SEC("license") = "Apache-2.0";
