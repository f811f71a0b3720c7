/** Nodes for servers that forbid scripts: the rules of the scripts with WATCH, MULTI and EXEC. Not exported. */
@NullMarked
package io.holdfast.redis.transaction;

import org.jspecify.annotations.NullMarked;
