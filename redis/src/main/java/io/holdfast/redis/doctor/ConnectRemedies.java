package io.holdfast.redis.doctor;

import java.util.List;
import java.util.Map;
import java.util.Map.Entry;

/** The action of an administrator if a server cannot be examined, by the cause that the connection gives. */
final class ConnectRemedies {

    /** A part of the cause, and the action; the first that fits. */
    private static final List<Entry<String, String>> REMEDIES = List.of(
            Map.entry("WRONGPASS", "correct the user or the password"),
            Map.entry("NOAUTH", "give the password of the server"),
            Map.entry("NOPERM", "grant the user these permissions"),
            Map.entry("no database", "correct the number of the database in the address, or leave it out"),
            Map.entry("shard of a cluster", "give the addresses of servers outside a cluster"),
            Map.entry(
                    "ended the connection",
                    "check whether a server runs there, behind a proxy too; then scheme, password and certificate"),
            Map.entry("certificate of this client", "give --cert and --key, or another pair of them"),
            Map.entry("write redis", "correct the scheme of its address"),
            Map.entry("TLS", "check whether it runs and speaks TLS, and whether it or this machine is overloaded"),
            Map.entry("certificate", "give the authority that signed its certificate"),
            Map.entry("resolved", "correct the host name in the address"),
            Map.entry("refused", "start the server, or correct its address"));

    private static final String OTHER = "check whether it runs, and whether the address is right";

    private ConnectRemedies() {}

    static String of(String cause) {
        return REMEDIES.stream()
                .filter(remedy -> cause.contains(remedy.getKey()))
                .map(Entry::getValue)
                .findFirst()
                .orElse(OTHER);
    }
}
