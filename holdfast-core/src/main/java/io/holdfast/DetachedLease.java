package io.holdfast;

import io.holdfast.lease.FencingToken;
import io.holdfast.lease.LockMode;
import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.node.ResourceName;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;

/**
 * What another process needs to go on with a lease: a job that one process starts and another ends, or a successor of one that has
 * crashed. It contains the owner, so whoever has it can release the lock: keep it like a password.
 *
 * @param resource what is locked
 * @param owner by which the nodes know the holder
 * @param mode with whom the lock is held
 * @param fence the lease's fencing token
 * @param followers how many tokens of the attempt are left above it
 */
public record DetachedLease(String resource, Owner owner, LockMode mode, FencingToken fence, int followers) {

    private static final String VERSION = "hf1";
    private static final String SHARED_VERSION = "hf1s";
    private static final int WORDS = 5;

    public DetachedLease {
        ResourceName.require(resource);
        if (followers < 0) {
            throw new IllegalArgumentException("A lease has 0 or more followers, not " + followers);
        }
    }

    static DetachedLease of(Claim claim) {
        return new DetachedLease(claim.resource(), claim.owner(), claim.mode(), claim.fence(), claim.followers());
    }

    /**
     * Reads what {@link #text} has written.
     *
     * @throws IllegalArgumentException if that is not what it is
     */
    public static DetachedLease parse(String text) {
        String[] words = text.strip().split(":", WORDS);
        try {
            if (words.length == WORDS && (words[0].equals(VERSION) || words[0].equals(SHARED_VERSION))) {
                String resource = new String(Base64.getUrlDecoder().decode(words[1]), StandardCharsets.UTF_8);
                return new DetachedLease(
                        resource,
                        new Owner(words[4]),
                        words[0].equals(VERSION) ? LockMode.EXCLUSIVE : LockMode.SHARED,
                        new FencingToken(Long.parseLong(words[2])),
                        Integer.parseInt(words[3]));
            }
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(complaint(text), e);
        }
        throw new IllegalArgumentException(complaint(text));
    }

    /** Without the text itself, which may be a secret with a slip in it. */
    private static String complaint(String text) {
        return "The handle of a lease looks like " + VERSION
                + ":…, as `text()` or `holdfast acquire` gives it; this one, of " + text.length()
                + " characters, does not";
    }

    /** Printable ASCII without spaces, for an environment variable, a file, a message. */
    public String text() {
        String name = Base64.getUrlEncoder().withoutPadding().encodeToString(resource.getBytes(StandardCharsets.UTF_8));
        String version = mode == LockMode.EXCLUSIVE ? VERSION : SHARED_VERSION;
        return String.join(":", version, name, fence.toString(), Integer.toString(followers), owner.token());
    }

    Claim claim(Duration ttl) {
        return Claim.acquire(resource, owner, ttl, fence)
                .withFollowers(followers)
                .withMode(mode);
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return "LeaseHandle[" + resource + ", fence " + fence + ", owner " + owner.brief() + "]";
    }
}
