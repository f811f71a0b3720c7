/** Nodes whose rules run on the server as Lua scripts. Not exported. */
@NullMarked
package io.holdfast.redis.script;

import org.jspecify.annotations.NullMarked;
