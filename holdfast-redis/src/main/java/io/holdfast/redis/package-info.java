/** What Holdfast says to Redis: the scripts, the keys, and the meaning of the answers. */
@NullMarked
package io.holdfast.redis;

import org.jspecify.annotations.NullMarked;
