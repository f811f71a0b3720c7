package io.holdfast.acquire;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lease.FencingToken;
import io.holdfast.lease.LockMode;
import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import java.security.SecureRandom;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The claim of a held lock is the granted one. */
class HeldClaimTest {

    private static final SecureRandom RANDOM = new SecureRandom();

    private static Claim claim(Owner owner) {
        return Claim.acquire("order:42", owner, Duration.ofSeconds(30), new FencingToken(1_000))
                .withFollowers(16);
    }

    @Test
    void claim_ofAGrant_isTheGrantedOne() {
        Claim granted = claim(Owner.fresh(RANDOM)).withMode(LockMode.SHARED);

        assertThat(HeldClaim.of(granted).claim()).isEqualTo(granted);
    }

    @Test
    void shared_andFollower_areThoseOfTheClaim() {
        Claim granted = claim(Owner.fresh(RANDOM));

        assertThat(HeldClaim.of(granted).shared().claim()).isEqualTo(granted.withMode(LockMode.SHARED));
        assertThat(HeldClaim.of(granted).follower().claim()).isEqualTo(granted.follower());
    }

    @Test
    void isOfSameLease_comparesOwnerFenceAndMode() {
        Owner owner = Owner.fresh(RANDOM);
        HeldClaim held = HeldClaim.of(claim(owner));

        assertThat(held.isOfSameLease(held)).isTrue();
        assertThat(held.isOfSameLease(HeldClaim.of(claim(owner)))).isTrue();
        assertThat(held.isOfSameLease(HeldClaim.of(claim(Owner.fresh(RANDOM))))).isFalse();
        assertThat(held.isOfSameLease(held.follower())).isFalse();
        assertThat(held.isOfSameLease(held.shared())).isFalse();
        assertThat(held.isOfSameLease(null)).isFalse();
    }
}
