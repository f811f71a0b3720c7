package io.holdfast;

import io.holdfast.acquire.AcquireResult;
import io.holdfast.acquire.Grant;
import io.holdfast.client.LockClient;
import io.holdfast.client.LockRequest;
import io.holdfast.lease.FencingToken;
import io.holdfast.lease.LockMode;
import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.node.ResourceName;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The data by which another process continues a lease: a job that one process begins and another ends, or the successor
 * of a process that has crashed. {@link Lease#detach} and {@link Lease#handle} return it, {@link Holdfast#attach} takes
 * it, and {@link #text} and {@link #parse} carry it from one process to another.
 *
 * <p>It contains the owner, which is a secret: any process that has it can release the lock. Keep it like a password.
 *
 * <p>Immutable and thread-safe.
 */
public final class DetachedLease {

    private static final String VERSION = "hf1";
    private static final String SHARED_VERSION = "hf1s";
    private static final int WORDS = 5;

    private final String key;
    private final Owner owner;
    private final LockMode mode;
    private final FencingToken fence;
    /** The number of fencing tokens of the attempt that are left above that of the lease. */
    private final int followers;

    DetachedLease(String key, Owner owner, LockMode mode, FencingToken fence, int followers) {
        this.key = key;
        this.owner = owner;
        this.mode = mode;
        this.fence = fence;
        this.followers = followers;
        if (followers < 0) {
            throw new IllegalArgumentException("A lease has 0 or more followers, not " + followers);
        }
        if (!ResourceName.isKey(key)) {
            throw new IllegalArgumentException("No lock has this key");
        }
    }

    static DetachedLease of(Claim claim) {
        return new DetachedLease(claim.resource(), claim.owner(), claim.mode(), claim.fence(), claim.followers());
    }

    /**
     * Reads a text that {@link #text} returned; white space around it is ignored.
     *
     * @throws IllegalArgumentException if the text has another form; the message does not contain the text
     */
    public static DetachedLease parse(String text) {
        String[] words = OptionChecks.given("handle", text).strip().split(":", WORDS);
        try {
            if (words.length == WORDS && (words[0].equals(VERSION) || words[0].equals(SHARED_VERSION))) {
                String key = decoded(words[1]);
                Owner owner = new Owner(words[4]);
                if (owner.isReserved()) {
                    throw new IllegalArgumentException(complaint(text));
                }
                return new DetachedLease(
                        key,
                        owner,
                        words[0].equals(VERSION) ? LockMode.EXCLUSIVE : LockMode.SHARED,
                        new FencingToken(Long.parseLong(words[2])),
                        Integer.parseInt(words[3]));
            }
        } catch (IllegalArgumentException | CharacterCodingException e) {
            throw new IllegalArgumentException(complaint(text), e);
        }
        throw new IllegalArgumentException(complaint(text));
    }

    /**
     * Decodes a name of a lock. A lenient decoder would replace damaged characters, so that the handle would be of
     * another lock.
     */
    private static String decoded(String name) throws CharacterCodingException {
        byte[] bytes = Base64.getUrlDecoder().decode(name);
        return StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(bytes))
                .toString();
    }

    /** Leaves out the text, which may be a secret with a typing error. */
    private static String complaint(String text) {
        return "The handle of a lease looks like " + VERSION
                + ":..., as `holdfast acquire` prints it; this one, of " + text.length()
                + " characters, does not";
    }

    /** Returns the name of the lock; one of more than 512 characters is replaced by its key. */
    public String resource() {
        return ResourceName.name(key);
    }

    /** Returns the fencing token of the lease, which stays the same when it is attached. */
    public FencingToken fencingToken() {
        return fence;
    }

    /** Returns {@code true} if the lock is held in shared mode. */
    public boolean isShared() {
        return mode == LockMode.SHARED;
    }

    /**
     * Returns the data as printable ASCII without spaces, for an environment variable, a file or a message. It contains
     * the secret.
     *
     * @see #parse
     */
    public String text() {
        String name = Base64.getUrlEncoder().withoutPadding().encodeToString(key.getBytes(StandardCharsets.UTF_8));
        String version = isShared() ? SHARED_VERSION : VERSION;
        return String.join(":", version, name, fence.toString(), Integer.toString(followers), owner.token());
    }

    /** See {@link Holdfast#attach}. */
    Lease attach(LockClient client, LockOptions options) throws InterruptedException {
        Claim granted = Claim.acquire(key, owner, options.lease(), fence)
                .withFollowers(followers)
                .withMode(mode);
        LockRequest request = options.request(key, mode, client.begun());
        AcquireResult<Grant> result = Blocking.get(client.time(), () -> client.attach(granted, request), none -> {});
        if (result instanceof AcquireResult.Refused<?> refused && refused.isDenied()) {
            throw LeaseLostException.denied(resource(), refused.votes());
        }
        return DistributedLock.lease(result.map(grant -> client.attached(grant, request)), resource(), client);
    }

    /** Returns {@code true} for the data of the same lease in the same mode. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof DetachedLease lease && text().equals(lease.text());
    }

    @Override
    public int hashCode() {
        return text().hashCode();
    }

    /** Returns the resource, the fencing token and the first characters of the owner; never the secret. */
    @Override
    public String toString() {
        return "DetachedLease[" + key + ", fence " + fence + ", owner " + owner.brief() + "]";
    }
}
