/**
 * The verb {@code run}: options, the run under a lock, and the run without one. {@code lib/run} in the distribution
 * begins with the states of a run and the verbs by which its processes speak.
 */
@NullMarked
package io.holdfast.cli.run;

import org.jspecify.annotations.NullMarked;
