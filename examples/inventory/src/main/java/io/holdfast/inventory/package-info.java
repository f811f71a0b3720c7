/** An example: a shop that must not sell its last piece twice. README.md beside the pom describes it. */
@NullMarked
package io.holdfast.inventory;

import org.jspecify.annotations.NullMarked;
