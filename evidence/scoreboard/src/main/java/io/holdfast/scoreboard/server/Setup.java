package io.holdfast.scoreboard.server;

import io.holdfast.testkit.fault.ServerClock;
import org.jspecify.annotations.Nullable;

/**
 * The servers to start.
 *
 * @param standby whether the first server has a replica, if it is one of Redis
 * @param clock the wall clock of the first server, or null for that of the machine
 */
public record Setup(int nodes, boolean standby, @Nullable ServerClock clock) {}
