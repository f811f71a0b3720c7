/** A node in this process that behaves as a Redis server does, for tests of your own code and for simulations. */
@NullMarked
package io.holdfast.node.memory;

import org.jspecify.annotations.NullMarked;
