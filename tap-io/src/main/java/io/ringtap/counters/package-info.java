/** Counters: one writer, any reader; each room has its own enum of them. */
package io.ringtap.counters;
