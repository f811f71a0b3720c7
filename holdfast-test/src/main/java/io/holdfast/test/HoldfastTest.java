package io.holdfast.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Registers a {@link HoldfastExtension} for the class, and lets its methods have parameters of the types {@code Holdfast} and {@code
 * HoldfastExtension}.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(HoldfastExtension.class)
public @interface HoldfastTest {

    /** The number of redis-servers to start; 0: one node in memory. */
    int servers() default 0;
}
