/** What the process may still do after its start: a filter in front of its system calls. */
package io.ringtap.sandbox;
