/** Text files of the class path. Not exported. */
@NullMarked
package io.holdfast.redis.file;

import org.jspecify.annotations.NullMarked;
