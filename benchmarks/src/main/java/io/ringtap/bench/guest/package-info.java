/** The built-in front-end in a process of its own, to generate and to take frames where no peer is installed. */
package io.ringtap.bench.guest;
