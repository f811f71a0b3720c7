/** Exit codes, and the exception that ends a command with one of them. */
@NullMarked
package io.holdfast.cli.exit;

import org.jspecify.annotations.NullMarked;
