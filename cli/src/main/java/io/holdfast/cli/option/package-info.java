/** Options that several commands share, and the values that they represent. */
@NullMarked
package io.holdfast.cli.option;

import org.jspecify.annotations.NullMarked;
