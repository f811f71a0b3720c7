@NullMarked
package io.holdfast.spring.boot.actuate;

import org.jspecify.annotations.NullMarked;
