@NullMarked
package io.holdfast.inventory;

import org.jspecify.annotations.NullMarked;
