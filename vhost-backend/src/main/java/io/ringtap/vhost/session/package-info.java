/**
 * One front-end at a time: how it comes (listener, connector, inherited socket), its bytes and descriptors
 * (connection), what they mean (adapter, session) and what is answered (reply proxy). One thread, the session's agent.
 */
package io.ringtap.vhost.session;
