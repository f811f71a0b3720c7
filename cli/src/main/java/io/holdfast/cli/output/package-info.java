/** Everything that a command prints, as text and as JSON. */
@NullMarked
package io.holdfast.cli.output;

import org.jspecify.annotations.NullMarked;
