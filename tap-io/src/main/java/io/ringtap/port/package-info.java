/** The host's side: ports that take and give Ethernet frames. */
package io.ringtap.port;
