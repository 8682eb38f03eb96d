/** Ways of a frame that are measured: a front-end, a back-end and what counts between them; or a C loop. */
package io.ringtap.bench.path;
