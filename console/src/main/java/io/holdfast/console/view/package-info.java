/** Rows of locks, nodes and jobs, which one reader makes while a viewer looks. */
@NullMarked
package io.holdfast.console.view;

import org.jspecify.annotations.NullMarked;
