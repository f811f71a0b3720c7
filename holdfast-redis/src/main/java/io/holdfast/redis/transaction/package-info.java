/** A node for servers that forbid scripts: the same rules with WATCH, MULTI and EXEC. Not exported. */
@NullMarked
package io.holdfast.redis.transaction;

import org.jspecify.annotations.NullMarked;
