/**
 * Locks by annotation and leaders in a Spring application.
 *
 * <pre>{@code
 * @Configuration
 * @EnableHoldfastLocks
 * class LockConfiguration {
 *     @Bean
 *     Holdfast holdfast() {
 *         return Holdfast.connect("redis://a:6379", "redis://b:6379", "redis://c:6379");
 *     }
 * }
 *
 * @Service
 * class Warehouse {
 *     @HoldfastLock("stock:#{#sku}")
 *     @Transactional
 *     public void take(String sku, int pieces) { ... }
 * }
 * }</pre>
 *
 * <p>{@link io.holdfast.spring.HoldfastLock} describes the annotation, {@link
 * io.holdfast.spring.leader.LeaderLifecycle} leaders. A Spring Boot application uses {@code
 * holdfast-spring-boot-starter}, which configures all of this.
 */
@NullMarked
package io.holdfast.spring;

import org.jspecify.annotations.NullMarked;
