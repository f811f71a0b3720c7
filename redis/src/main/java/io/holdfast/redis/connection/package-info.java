/**
 * Connections that reconnect, and the checks of a server before it may vote: identity, role and settings. Not exported.
 */
@NullMarked
package io.holdfast.redis.connection;

import org.jspecify.annotations.NullMarked;
