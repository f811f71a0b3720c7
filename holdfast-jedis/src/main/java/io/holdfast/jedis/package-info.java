/** Nodes over Jedis. */
@NullMarked
package io.holdfast.jedis;

import org.jspecify.annotations.NullMarked;
