package io.holdfast.scoreboard.server;

import io.holdfast.testkit.fault.ServerClock;
import io.holdfast.testkit.fault.ServerDisk;
import org.jspecify.annotations.Nullable;

/**
 * The servers to start.
 *
 * @param standby whether the first server has a replica, if it is none of an ensemble
 * @param clock the wall clock of the first server, or null for that of the machine
 * @param disk the disk of the first server, or null for that of the machine; there is no such clock then
 */
public record Setup(
        int nodes,
        boolean standby,
        @Nullable ServerClock clock,
        @Nullable ServerDisk disk) {}
