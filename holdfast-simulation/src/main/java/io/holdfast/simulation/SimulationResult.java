package io.holdfast.simulation;

import io.holdfast.simulation.plan.Plan;
import io.holdfast.simulation.world.Violation;
import java.util.List;

/**
 * What came of a run.
 *
 * @param plan what was run
 * @param granted how many leases were granted
 * @param struck how many faults there were
 * @param refused how many writes the guarded resource has refused, since a greater token had written before
 * @param violations what was broken, the first hundred; nothing if all is well
 */
public record SimulationResult(Plan plan, long granted, long struck, long refused, List<Violation> violations) {}
