/* Everything that clang can write into an object and our loader must understand, a program for each. */
#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <linux/ip.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_core_read.h>

char _license[] SEC("license") = "Dual MIT/GPL";

struct key
{
    __be32 address;
    __be16 port;
    __u16 pad;
};

enum mode
{
    MODE_OFF,
    MODE_COUNT = 7,
    MODE_DROP = 1000
};

struct value
{
    __u64 packets;
    __s32 balance;
    enum mode mode;
    char name[16];
    __u8 mac[6];
    _Bool hot;
    unsigned int low : 3, high : 13;
    union
    {
        __u32 word;
        __u8 bytes[4];
    };
};

struct
{
    __uint(type, BPF_MAP_TYPE_HASH);
    __type(key, struct key);
    __type(value, struct value);
    __uint(max_entries, 128);
    __uint(pinning, LIBBPF_PIN_BY_NAME);
} flows SEC(".maps");

/* A static map is reached through the section's symbol and an addend. */
static struct
{
    __uint(type, BPF_MAP_TYPE_ARRAY);
    __uint(key_size, 4);
    __uint(value_size, 8);
    __uint(max_entries, 4);
} counters SEC(".maps");

/* The loader is to say how many. */
struct
{
    __uint(type, BPF_MAP_TYPE_ARRAY);
    __type(key, __u32);
    __type(value, __u64);
} sized SEC(".maps");

volatile const __u32 limit = 5;
volatile const struct value defaults = {.packets = 1, .mode = MODE_DROP, .name = "eth0"};
const volatile char device[8] = "lo";
__u64 seen;
__u32 total = 40;
static volatile __u32 hidden = 2;
static const char *volatile words[] = {"zero", "one", "two"};

__attribute__((noinline)) int global_add(int a, int b)
{
    return a + b + hidden;
}

static __attribute__((noinline)) int static_add(int a, int b)
{
    int sum = a;

    for (int i = 0; i < b && i < 100; i++)
    {
        sum += hidden;
    }
    return sum;
}

SEC("xdp") int first_of_two(struct xdp_md *ctx)
{
    return XDP_DROP;
}

SEC("xdp") int second_of_two(struct xdp_md *ctx)
{
    return XDP_TX;
}

SEC("xdp.frags") int with_frags(struct xdp_md *ctx)
{
    return global_add(ctx->rx_queue_index, 0);
}

SEC("xdp/devmap") int for_devmap(struct xdp_md *ctx)
{
    return static_add(1, 2) == 5 ? XDP_PASS : XDP_ABORTED;
}

/* A static function of the program's own section is called without a relocation. */
static __attribute__((noinline)) SEC("xdp_anything") int beside(struct xdp_md *ctx)
{
    return ctx->data_end - ctx->data;
}

SEC("xdp_anything") int any_name(struct xdp_md *ctx)
{
    return beside(ctx) > 60 ? XDP_PASS : XDP_DROP;
}

SEC("xdp/globals") int globals(struct xdp_md *ctx)
{
    __sync_fetch_and_add(&seen, 1);
    total += hidden;
    return total == 42 && limit == 5 && defaults.mode == MODE_DROP && device[0] == 'l' ? XDP_PASS : XDP_DROP;
}

SEC("xdp/words") int pointers(struct xdp_md *ctx)
{
    const char *word = words[ctx->rx_queue_index & 1];

    return word && word[0] == 'z' ? XDP_PASS : XDP_DROP;
}

SEC("xdp/maps") int maps(struct xdp_md *ctx)
{
    __u32 one = 1;
    struct key key = {.address = bpf_htonl(0x0a000001), .port = bpf_htons(53)};
    struct value value = {.packets = 3, .balance = -4, .mode = MODE_COUNT, .name = "abc", .hot = 1, .low = 5};
    __u64 *counter = bpf_map_lookup_elem(&counters, &one);
    __u64 *other = bpf_map_lookup_elem(&sized, &one);

    if (!counter || !other)
    {
        return XDP_ABORTED;
    }
    *counter += 1;
    *other += 2;
    return bpf_map_update_elem(&flows, &key, &value, BPF_ANY) ? XDP_DROP : XDP_PASS;
}

extern int bpf_no_such_kfunc(struct xdp_md *ctx) __ksym __weak;
extern int bpf_kernel_only(struct xdp_md *ctx) __ksym;

SEC("xdp/weak") int weak(struct xdp_md *ctx)
{
    return bpf_no_such_kfunc ? bpf_no_such_kfunc(ctx) : XDP_PASS;
}

SEC("xdp/strong") int strong(struct xdp_md *ctx)
{
    return bpf_kernel_only(ctx);
}

/* Layouts that never change are right as clang wrote them. */
struct iphdr___ours
{
    __u8 first;
    __u8 tos;
} __attribute__((preserve_access_index));

struct sk_buff
{
    int len;
} __attribute__((preserve_access_index));

struct nf_conn
{
    unsigned long status;
} __attribute__((preserve_access_index));

SEC("xdp/core") int core_fixed(struct xdp_md *ctx)
{
    struct iphdr___ours *ip = (void *)(long)ctx->data + sizeof(struct ethhdr);

    if ((void *)(ip + 1) > (void *)(long)ctx->data_end)
    {
        return XDP_ABORTED;
    }
    return bpf_core_type_exists(struct nf_conn) ? XDP_ABORTED : ip->tos == 0x11 ? XDP_PASS : XDP_DROP;
}

SEC("xdp/kernel") int core_kernel(struct xdp_md *ctx)
{
    struct sk_buff *skb = (void *)(long)ctx->data;

    return (void *)(skb + 1) > (void *)(long)ctx->data_end ? XDP_ABORTED : skb->len;
}

SEC("tc") int not_xdp(struct __sk_buff *skb)
{
    return skb->len;
}

SEC("kprobe/do_exit") int not_xdp_either(void *ctx)
{
    return 0;
}
