@NullMarked
package io.holdfast.spring.boot.process;

import org.jspecify.annotations.NullMarked;
