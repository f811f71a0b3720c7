/** The names of keys, and the formats of stored values and of replies. Not exported. */
@NullMarked
package io.holdfast.redis.keys;

import org.jspecify.annotations.NullMarked;
