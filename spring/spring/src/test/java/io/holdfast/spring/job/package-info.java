/** Tests of methods that succeed once per period. */
@NullMarked
package io.holdfast.spring.job;

import org.jspecify.annotations.NullMarked;
