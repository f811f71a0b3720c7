package io.holdfast.simulation.world;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.HoldfastOptions;
import io.holdfast.lease.FencingToken;
import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.simulation.plan.Network;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorldTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Network SLOW = new Network(SECOND, SECOND, 1, 0, 0, 0);

    /** A message of the slow network holds back those that are sent over the same connection afterwards. */
    @Test
    void disruptions_delayedMessageIsOnItsWay_areNegativeUntilItArrives() {
        World world = new World(1, List.of(1.0), HoldfastOptions.builder().build(), Network.GOOD);
        SimulatedClient client = world.addClient(1);
        world.become(SLOW);
        client.links().get(0).ask(Claim.acquire("a", new Owner("owner"), SECOND, FencingToken.NONE));
        world.become(Network.GOOD);

        assertThat(world.disruptions()).isNegative();
        world.advance(SECOND);
        assertThat(world.disruptions()).isPositive();
    }
}
