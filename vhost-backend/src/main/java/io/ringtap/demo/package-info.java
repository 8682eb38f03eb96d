/** The demonstration: a network namespace, a TAP, a backend and the built-in guest in one process, seen at work. */
package io.ringtap.demo;
