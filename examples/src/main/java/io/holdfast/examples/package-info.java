/** Examples of resources that check fencing tokens. */
@NullMarked
package io.holdfast.examples;

import org.jspecify.annotations.NullMarked;
