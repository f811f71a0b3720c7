/** The names of keys, and the format of what is stored under them and replied. Not exported. */
@NullMarked
package io.holdfast.redis.keys;

import org.jspecify.annotations.NullMarked;
