package io.holdfast.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Registers a {@link HoldfastExtension} for the class, and lets its methods have parameters of the types {@code
 * Holdfast} and {@code HoldfastExtension}. The methods of the class do not run in parallel, since all locks are taken
 * away after each.
 *
 * <p>In a test of an application with Spring, such as one with {@code @SpringBootTest}, the application gets the client
 * of the test as its {@code Holdfast}, instead of the one that the starter would connect.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(HoldfastExtension.class)
@Execution(ExecutionMode.SAME_THREAD)
public @interface HoldfastTest {

    /** The number of redis-servers to start, from 1 to 9; 0: one node in memory. */
    int servers() default 0;
}
