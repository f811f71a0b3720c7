/** Health and the endpoint of Holdfast, where an application has the actuator. */
@NullMarked
package io.holdfast.spring.boot.actuate;

import org.jspecify.annotations.NullMarked;
