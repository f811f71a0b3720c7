/** The port to Redis over Lettuce: one connection to each node, which lives as long as one run of its server. */
@NullMarked
package io.holdfast.lettuce;

import org.jspecify.annotations.NullMarked;
