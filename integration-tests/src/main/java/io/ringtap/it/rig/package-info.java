/**
 * Rigs: namespaces, processes, real guests and peers, provided, started and taken away again. Integration tests and
 * benchmarks work with the same ones.
 */
package io.ringtap.it.rig;
