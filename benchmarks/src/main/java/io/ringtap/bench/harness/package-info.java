/** What a benchmark is made of: sides that take turns, samples, rows of ratios, goals, and the machine they ran on. */
package io.ringtap.bench.harness;
