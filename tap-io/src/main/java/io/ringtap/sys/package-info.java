/** The kernel's door and a locked room: system calls, descriptors, mappings. Raw addresses live here. */
package io.ringtap.sys;
