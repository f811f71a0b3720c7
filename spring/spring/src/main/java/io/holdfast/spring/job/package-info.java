/** Annotated methods that succeed once per period. For the other packages of this module. */
@NullMarked
package io.holdfast.spring.job;

import org.jspecify.annotations.NullMarked;
