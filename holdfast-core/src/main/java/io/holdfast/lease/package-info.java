/** The values that a user meets: fencing tokens, owners, the states of a lease, and the reasons of its loss. */
@NullMarked
package io.holdfast.lease;

import org.jspecify.annotations.NullMarked;
