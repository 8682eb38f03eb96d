/** The kernel's own eBPF as the authority: its maps, its verifier and its test run, never an interface. */
package io.ringtap.it.kernel;
