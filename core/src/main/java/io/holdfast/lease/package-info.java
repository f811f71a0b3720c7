/**
 * The values of a lease: its fencing token and the limit of fences, its owner, its mode and state, the reason of its
 * loss, the outcome of its release.
 */
@NullMarked
package io.holdfast.lease;

import org.jspecify.annotations.NullMarked;
