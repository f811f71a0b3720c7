package io.holdfast.redis.keys;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A short digest of an owner: distinguishes owners without revealing their tokens. */
public final class OwnerFingerprint {

    private static final int BYTES = 6;

    private OwnerFingerprint() {}

    /** Returns the fingerprint of an owner token. */
    public static String of(String owner) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(owner.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }
}
