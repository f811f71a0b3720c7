package io.holdfast.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Import;

/**
 * Enables {@link HoldfastLock} on the beans of an application without Boot. The application defines a bean of the type
 * {@code Holdfast}, and may define a {@link LockFactory}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Import(HoldfastLockConfiguration.class)
public @interface EnableHoldfastLocks {}
