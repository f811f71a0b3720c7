/** What a vote is: the claim that a node is asked, its reply, and the port that a Redis adapter implements. */
@NullMarked
package io.holdfast.node;

import org.jspecify.annotations.NullMarked;
