@NullMarked
package io.holdfast.spring.attribute;

import org.jspecify.annotations.NullMarked;
