/** A user's terminal: what it is, pictures of cells for it, and keys from it; knows nothing of what is shown. */
package io.ringtap.terminal;
