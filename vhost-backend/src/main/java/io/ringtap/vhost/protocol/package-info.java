/** The wire of vhost-user: the table of requests, the layouts of their payloads and the feature bits. No behaviour. */
package io.ringtap.vhost.protocol;
