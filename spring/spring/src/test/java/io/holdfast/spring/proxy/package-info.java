@NullMarked
package io.holdfast.spring.proxy;

import org.jspecify.annotations.NullMarked;
