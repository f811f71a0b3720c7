/** The production code in virtual time, on one thread, among clients, nodes and networks that fail by a seed. */
@NullMarked
package io.holdfast.simulation;

import org.jspecify.annotations.NullMarked;
