// Functions that call functions, of both linkages, with variables of every section between them.
#include "net.h"

const volatile __u8 weights[8] = {1, 3, 5, 7, 11, 13, 17, 19};
const volatile bool is_strict = true;
__u64 score_limit = 2000;
__u64 seen[4];
static volatile __u32 depth;

static __noinline __u32 weigh(struct xdp_md *ctx, __u32 from)
{
    __u8 *bytes = frame(ctx);
    __u32 sum = 0;

    depth++;
    if (from > 1000 || (void *)(bytes + from + 8) > frame_end(ctx))
        return 0;
    bytes += from;
    if ((void *)(bytes + 8) > frame_end(ctx))
        return 0;
    for (int i = 0; i < 8; i++)
        sum += bytes[i] * weights[i];
    return sum;
}

__noinline int score(struct xdp_md *ctx, __u32 rounds)
{
    __u32 sum = 0;

    for (__u32 i = 0; i < 6; i++) {
        if (i < rounds)
            sum += weigh(ctx, 8 * i);
    }
    return sum;
}

static __noinline int judge(__u64 points)
{
    __u32 class = points / 1000 & 3;

    seen[class]++;
    if (!is_strict)
        return XDP_PASS;
    return points % 8 == 0 ? XDP_TX : points > score_limit ? XDP_DROP : XDP_PASS;
}

SEC("xdp")
int subprograms(struct xdp_md *ctx)
{
    __u32 length = ctx->data_end - ctx->data;

    return judge((__u32)score(ctx, length / 16));
}

char LICENSE[] SEC("license") = "Apache-2.0";
