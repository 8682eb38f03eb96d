/** Memory of guests that its owner takes away while rings run, against a backend in a process of its own. */
package io.ringtap.it.truncation;
