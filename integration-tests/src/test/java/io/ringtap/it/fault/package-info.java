/** Faults of front-ends and of the host that a backend in a process of its own has to outlive. */
package io.ringtap.it.fault;
