/** Claims that go to a node together, for implementations of nodes. */
@NullMarked
package io.holdfast.node.batch;

import org.jspecify.annotations.NullMarked;
