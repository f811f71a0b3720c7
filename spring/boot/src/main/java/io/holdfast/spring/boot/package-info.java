/**
 * The auto-configuration of Holdfast in Spring Boot: the client from the properties {@code holdfast.*}, {@code
 * @HoldfastLock}, and leaders.
 *
 * <p>It defines a client only if the application defines none, and it replaces no other client of Redis.
 */
@NullMarked
package io.holdfast.spring.boot;

import org.jspecify.annotations.NullMarked;
