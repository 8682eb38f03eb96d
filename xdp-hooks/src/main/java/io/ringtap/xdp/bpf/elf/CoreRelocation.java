package io.ringtap.xdp.bpf.elf;

import java.util.Set;

/**
 * A number in an instruction that the kernel's loader would take from the kernel it loads into ("compile once, run
 * everywhere").
 * <p>
 * There is no kernel here, but the layouts that user space may rely on never change, and clang has already written
 * those into the code. Structs of a kernel's inside are not here at all: asked whether they exist, the answer is no;
 * asked where their members are, the program is refused.
 *
 * @param type of the struct or enum, in .BTF.
 * @param path of the member, as an offset in the strings of .BTF.
 * @param kind what is asked: enum bpf_core_relo_kind of linux/bpf.h.
 */
record CoreRelocation(int type, long path, int kind)
{
    private static final int FIELD_EXISTS = 2;
    private static final int LOCAL_TYPE = 6;
    private static final int TYPE_EXISTS = 8;
    private static final int ENUM_EXISTS = 10;
    private static final int ENUM_VALUE = 11;
    private static final int TYPE_MATCHES = 12;

    /** Structs with one layout for all time: what XDP programs get, what frames hold, what helpers take. */
    private static final Set<String> FIXED = Set.of(
        "xdp_md", "bpf_fib_lookup", "bpf_devmap_val", "bpf_cpumap_val", "bpf_spin_lock", "bpf_timer", "bpf_sock_tuple",
        "bpf_lpm_trie_key", "bpf_lpm_trie_key_u8", "bpf_lpm_trie_key_hdr",
        "ethhdr", "arphdr", "vlan_hdr", "vlan_ethhdr", "mpls_label", "pppoe_hdr", "pppoe_tag", "llc_snap_hdr",
        "iphdr", "ipv6hdr", "ipv6_opt_hdr", "ipv6_rt_hdr", "rt0_hdr", "frag_hdr", "in_addr", "in6_addr",
        "ip_auth_hdr", "ip_esp_hdr", "ip_comp_hdr", "ip_beet_phdr", "ipv6_destopt_hao", "ipv6_sr_hdr", "rt2_hdr",
        "tcphdr", "udphdr", "sctphdr", "icmphdr", "icmp6hdr", "icmpv6_echo", "igmphdr", "mldhdr", "mld_msg",
        "gre_base_hdr", "gre_full_hdr", "vxlanhdr", "vxlanhdr_gbp", "genevehdr", "gtp1_header", "erspan_base_hdr");

    /**
     * Whether the answer is no, to be written into the instruction as 0; otherwise what clang wrote is right.
     *
     * @throws ObjectException when only a kernel could say.
     */
    boolean isAbsent(final Btf btf)
    {
        if (LOCAL_TYPE == kind || ENUM_EXISTS == kind || ENUM_VALUE == kind)
        {
            return false;
        }
        final String name = btf.name(btf.resolve(type));
        // "___" begins what a programmer appended to tell versions of a struct apart.
        final int suffix = name.indexOf("___");
        if (FIXED.contains(suffix > 0 ? name.substring(0, suffix) : name))
        {
            return false;
        }
        if (FIELD_EXISTS == kind || TYPE_EXISTS == kind || TYPE_MATCHES == kind)
        {
            return true;
        }
        throw new ObjectException("needs the layout of the kernel's struct " + name + members(btf) +
            ", which only a kernel has; keep that part out of the program");
    }

    /** The path in words, as far as it can be followed: {@code " (mark)"} for 0:3. */
    private String members(final Btf btf)
    {
        final StringBuilder words = new StringBuilder();
        int at = btf.resolve(type);
        final String[] steps = btf.string(path).split(":");
        for (int i = 1; i < steps.length && steps[i].matches("\\d{1,5}") && btf.kind(at).isComposite(); i++)
        {
            final int member = Integer.parseInt(steps[i]);
            if (member >= btf.members(at))
            {
                break;
            }
            words.append(words.isEmpty() ? " (" : ".").append(btf.memberName(at, member));
            at = btf.resolve(btf.memberType(at, member));
        }
        return words.isEmpty() ? "" : words.append(')').toString();
    }
}
