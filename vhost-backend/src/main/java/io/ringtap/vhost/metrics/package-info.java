/** Counters, histograms and states as Prometheus and OpenMetrics want them, over HTTP. */
package io.ringtap.vhost.metrics;
