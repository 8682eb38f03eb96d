/** The live view of a running backend: what it counted, made into rates, and rates made into pictures. */
package io.ringtap.top;
