/** The benchmarks, a class each. */
package io.ringtap.bench.scenario;
