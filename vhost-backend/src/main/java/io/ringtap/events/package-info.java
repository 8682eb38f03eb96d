/**
 * What happens seldom and matters, as events of Java Flight Recorder. An event that nobody records costs a branch: the
 * JVM makes real ones of these classes only while a recording runs.
 */
package io.ringtap.events;
