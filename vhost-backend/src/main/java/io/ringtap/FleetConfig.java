package io.ringtap;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Many NICs of one process; immutable and already checked.
 *
 * @param process what they have in common.
 * @param ports   each NIC by its name, in the order of the file.
 */
public record FleetConfig(ProcessConfig process, Map<String, BackendConfig> ports)
{
    /** What a NIC is called that is alone, until its port has a name. */
    public static final String LONE = "ringtap";
    /** NICs beyond what the descriptors and memory of one process are made for. */
    public static final int MAX_PORTS = 256;
    /** A name has to fit a thread's name and a line of a table. */
    public static final int MAX_NAME = 32;

    /** Copies the map, so that nobody changes it afterwards. */
    public FleetConfig
    {
        ports = Collections.unmodifiableMap(new LinkedHashMap<>(ports));
    }

    /** Whether a NIC may be called that. */
    public static boolean isName(final String name)
    {
        return name.length() <= MAX_NAME && name.matches("[A-Za-z0-9][A-Za-z0-9._-]*");
    }
}
