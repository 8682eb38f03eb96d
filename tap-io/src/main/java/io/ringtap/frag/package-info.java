/** Page fragments: the arena of 32 KiB pages and the allocators over it. */
package io.ringtap.frag;
