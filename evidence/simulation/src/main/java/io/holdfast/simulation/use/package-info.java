/** Users of locks that call every public method of the library, in any order and at any time. */
@NullMarked
package io.holdfast.simulation.use;

import org.jspecify.annotations.NullMarked;
