/**
 * The guest's memory, a locked room: maps it, translates whole ranges, copies in and out. Host addresses do not leave
 * this package and {@code io.ringtap.sys}.
 */
package io.ringtap.vhost.guest;
