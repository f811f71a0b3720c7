@NullMarked
package io.holdfast.time;

import org.jspecify.annotations.NullMarked;
