/** Connections that reconnect, and what is checked before a server may vote: its identity, its role, its settings. Not exported. */
@NullMarked
package io.holdfast.redis.connection;

import org.jspecify.annotations.NullMarked;
