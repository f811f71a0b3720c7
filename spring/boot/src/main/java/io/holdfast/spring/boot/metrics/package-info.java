/** Meters of locks and nodes, where an application has Micrometer. */
@NullMarked
package io.holdfast.spring.boot.metrics;

import org.jspecify.annotations.NullMarked;
