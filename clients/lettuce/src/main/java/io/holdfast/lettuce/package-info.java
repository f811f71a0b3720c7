/** Nodes over Lettuce, with one connection to each node. */
@NullMarked
package io.holdfast.lettuce;

import org.jspecify.annotations.NullMarked;
