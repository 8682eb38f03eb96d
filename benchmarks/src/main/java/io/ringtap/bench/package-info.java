/** The command {@code ringtap bench}. */
package io.ringtap.bench;
