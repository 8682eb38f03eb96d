/**
 * Recording of frames: workers copy what they see into rings, a recorder writes it to pcapng files through mapped
 * memory. A worker never waits for the recorder; what finds no room is counted.
 */
package io.ringtap.capture;
