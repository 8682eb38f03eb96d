/* Two programs in one section. Made with: clang -target bpf -O2 -c two.c; llvm-strip -g two.o */
struct xdp_md
{
    unsigned int data, data_end, data_meta, ingress_ifindex, rx_queue_index, egress_ifindex;
};

const volatile unsigned int limit = 62;

__attribute__((section("xdp"), used)) int too_long(struct xdp_md *ctx)
{
    return ctx->data_end - ctx->data > limit ? 1 : 2;
}

__attribute__((section("xdp"), used)) int mark(struct xdp_md *ctx)
{
    unsigned char *frame = (unsigned char *)(long)ctx->data;

    if (frame + 14 > (unsigned char *)(long)ctx->data_end)
    {
        return 0;
    }
    frame[0] = ctx->rx_queue_index;
    return 3;
}

char _license[] __attribute__((section("license"), used)) = "Apache-2.0";
