@NullMarked
package io.holdfast.spring.boot.starter;

import org.jspecify.annotations.NullMarked;
