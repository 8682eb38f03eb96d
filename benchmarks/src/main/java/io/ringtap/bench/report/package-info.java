/** Results as JSON, as charts and as the table of docs/benchmarks. */
package io.ringtap.bench.report;
