package io.holdfast.time;

import java.time.Duration;

/**
 * A reading of a clock that all processes of a machine share, and that cannot be set: the time since the machine was
 * started. The difference of two readings of one machine is the time that has passed between them, also if two
 * processes have read them.
 *
 * @param machine names the machine and its start, without white space; readings of different names must not be compared
 * @param uptime the time since that start, including the time in which the machine was suspended
 */
public record MachineReading(String machine, Duration uptime) {}
