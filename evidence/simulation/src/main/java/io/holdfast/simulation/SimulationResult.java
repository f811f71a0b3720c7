package io.holdfast.simulation;

import io.holdfast.simulation.plan.Plan;
import io.holdfast.simulation.world.Violation;
import java.util.List;

/**
 * The result of a run.
 *
 * @param plan the plan that was run
 * @param granted the number of leases granted
 * @param struck the number of faults
 * @param refused the number of writes that the guarded resource rejected after a write with a greater token
 * @param changes the number of times that a change of the nodes reached its end, in either direction
 * @param violations the first hundred broken promises; empty if all is well
 */
public record SimulationResult(
        Plan plan, long granted, long struck, long refused, long changes, List<Violation> violations) {}
