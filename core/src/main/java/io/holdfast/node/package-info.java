/**
 * The port between the algorithm and the nodes: claims, replies, votes, wake-up notifications, and the interfaces that
 * a kind of node implements. All records and enums are immutable and thread-safe.
 */
@NullMarked
package io.holdfast.node;

import org.jspecify.annotations.NullMarked;
