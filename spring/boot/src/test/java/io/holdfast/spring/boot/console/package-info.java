@NullMarked
package io.holdfast.spring.boot.console;

import org.jspecify.annotations.NullMarked;
