/**
 * Tests of code that takes locks. {@link io.holdfast.test.HoldfastExtension} runs the locks in memory, or on servers
 * that it starts.
 *
 * <pre>{@code
 * @HoldfastTest
 * class ShopTest {
 *     @Test
 *     void sell_anotherShopSells_isRefused(Holdfast holdfast, HoldfastExtension locks) {
 *         locks.heldElsewhere("last-piece");
 *
 *         assertThat(new Shop(holdfast).sell("last-piece")).isFalse();
 *     }
 * }
 * }</pre>
 */
@NullMarked
package io.holdfast.test;

import org.jspecify.annotations.NullMarked;
