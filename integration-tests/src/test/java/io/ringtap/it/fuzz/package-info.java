/** Runs the fuzz targets of the modules, coverage-guided, each in a JVM of its own. */
package io.ringtap.it.fuzz;
