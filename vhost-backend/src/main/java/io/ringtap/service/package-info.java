/** What a supervisor such as systemd gives to a service and wants to hear from it, without its library. */
package io.ringtap.service;
