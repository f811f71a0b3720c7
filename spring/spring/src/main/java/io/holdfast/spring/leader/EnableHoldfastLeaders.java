package io.holdfast.spring.leader;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Import;

/**
 * Enables {@link OnlyLeader} on the beans of an application without Boot, which defines a {@link LeaderLifecycle} for
 * each role.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Import(LeaderConfiguration.class)
public @interface EnableHoldfastLeaders {}
