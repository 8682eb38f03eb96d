/** Everything at once for a long time, and then the books have to balance. */
package io.ringtap.it.soak;
