/** JSON as the command and the console write it, and as the console reads it. */
@NullMarked
package io.holdfast.console.json;

import org.jspecify.annotations.NullMarked;
