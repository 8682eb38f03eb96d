/** Programs tried on captured frames, without a virtual machine. */
package io.ringtap.xdp.trial;
