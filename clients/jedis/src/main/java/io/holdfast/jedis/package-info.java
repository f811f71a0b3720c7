/** Nodes over Jedis, with one connection to each node. */
@NullMarked
package io.holdfast.jedis;

import org.jspecify.annotations.NullMarked;
