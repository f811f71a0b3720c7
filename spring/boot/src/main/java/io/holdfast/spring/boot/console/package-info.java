/** The console, where an application has the actuator and {@code holdfast-console}. */
@NullMarked
package io.holdfast.spring.boot.console;

import org.jspecify.annotations.NullMarked;
