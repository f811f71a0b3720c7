package io.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lease.FencingToken;
import io.holdfast.lease.LockMode;
import io.holdfast.lease.Owner;
import java.security.SecureRandom;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ClaimTest {

    private static final SecureRandom RANDOM = new SecureRandom();

    private static Claim claim(Owner owner) {
        return Claim.acquire("order:42", owner, Duration.ofSeconds(30), new FencingToken(1_000))
                .withFollowers(16);
    }

    @Test
    void isOfSameLease_comparesOwnerFenceAndMode() {
        Owner owner = Owner.fresh(RANDOM);
        Claim held = claim(owner);

        assertThat(held.isOfSameLease(claim(owner).extend(Duration.ofSeconds(1))))
                .isTrue();
        assertThat(held.isOfSameLease(claim(Owner.fresh(RANDOM)))).isFalse();
        assertThat(held.isOfSameLease(held.follower())).isFalse();
        assertThat(held.isOfSameLease(held.withMode(LockMode.SHARED))).isFalse();
        assertThat(held.isOfSameLease(null)).isFalse();
    }
}
