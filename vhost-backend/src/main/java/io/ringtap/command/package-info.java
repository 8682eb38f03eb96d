/** The commands and their options: from words on a command line to a checked configuration and an exit code. */
package io.ringtap.command;
