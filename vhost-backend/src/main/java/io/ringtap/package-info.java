/** Assembly: the configuration of a backend, the backend built from it, and the program's entry. */
package io.ringtap;
