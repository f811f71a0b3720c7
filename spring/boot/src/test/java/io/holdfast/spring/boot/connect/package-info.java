@NullMarked
package io.holdfast.spring.boot.connect;

import org.jspecify.annotations.NullMarked;
