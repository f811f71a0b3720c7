package io.holdfast.security;

/**
 * A user of the Redis servers and its password. Immutable.
 *
 * @param user the name of the ACL user; empty: the default user, as before Redis 6
 * @param password its password
 */
public record Credentials(String user, String password) {

    /** Returns the user only; never the password. */
    @Override
    public String toString() {
        return "Credentials[" + (user.isEmpty() ? "the default user" : user) + "]";
    }
}
