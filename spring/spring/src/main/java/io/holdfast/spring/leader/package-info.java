/**
 * Leaders: processes of which one at a time does something.
 *
 * <pre>{@code
 * @Bean
 * LeaderLifecycle reports(LockFactory locks, ApplicationEventPublisher publisher) {
 *     return new LeaderLifecycle("reports", locks, publisher);
 * }
 *
 * @Scheduled(fixedDelay = 1000)
 * @OnlyLeader("reports")
 * void collect() { ... }
 * }</pre>
 */
@NullMarked
package io.holdfast.spring.leader;

import org.jspecify.annotations.NullMarked;
