@NullMarked
package io.holdfast.spring.use;

import org.jspecify.annotations.NullMarked;
