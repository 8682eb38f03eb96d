/**
 * The built-in guest: the front-end's half of vhost-user and the driver's half of the rings, with a small network
 * stack, a generator and a sink on top. It needs no virtual machine and shares no code with the backend's own half
 * beyond system calls and message layouts, so that a mistake there is seen here.
 */
package io.ringtap.frontend;
