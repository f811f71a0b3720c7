/** Servers that fail on command, and the network between them and each client. */
@NullMarked
package io.holdfast.scoreboard.server;

import org.jspecify.annotations.NullMarked;
