/**
 * The log, behind SLF4J: lines on standard error, with levels that change while we run, and none of them as often as a
 * guest may like.
 */
package io.ringtap.log;
