/** Hostile input: a server that replies anything, and the seeds and values of fuzz tests. */
@NullMarked
package io.holdfast.testkit.hostile;

import org.jspecify.annotations.NullMarked;
