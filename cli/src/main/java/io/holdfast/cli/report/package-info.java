/** The reports of a run beyond its exit code: to the system log, to hooks, and to a file of metrics. */
@NullMarked
package io.holdfast.cli.report;

import org.jspecify.annotations.NullMarked;
