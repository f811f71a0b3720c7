@NullMarked
package io.holdfast.spring;

import org.jspecify.annotations.NullMarked;
