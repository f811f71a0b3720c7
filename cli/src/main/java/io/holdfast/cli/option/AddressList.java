package io.holdfast.cli.option;

import io.holdfast.HoldfastOptions;
import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.exit.Failure;
import io.holdfast.cli.syntax.CommandOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The addresses of servers in one text, with commas between them. */
final class AddressList {

    private static final String SEPARATOR = ",";
    private static final String PLACE = "([\\w.-]+|\\[[\\p{XDigit}:.]+])(:\\d{1,5})?";

    static final CommandOption MAP = CommandOption.of(
            "--address-map",
            "NAMED=REACHED,...",
            "Where the servers are reached that a Sentinel or a cluster names, such as 10.0.0.5:6379=localhost:7001. "
                    + "Without a port, each port of the host. Default: where they are named.");

    private AddressList() {}

    /**
     * Splits a list at the commas between addresses. A comma may also separate the hosts of one address, or be a part
     * of its password.
     */
    static List<String> split(String uris) {
        List<String> addresses = new ArrayList<>();
        for (String part : uris.split(SEPARATOR, -1)) {
            int last = addresses.size() - 1;
            if (last >= 0 && !part.isBlank() && !part.contains("://") && !isComplete(addresses.get(last))) {
                addresses.set(last, addresses.get(last) + SEPARATOR + part.strip());
            } else if (!part.isBlank()) {
                addresses.add(part.strip());
            }
        }
        return addresses;
    }

    /** Returns whether this is the address of one server, behind which another address follows. */
    private static boolean isComplete(String address) {
        return address.matches("rediss?://(.*@.*|[\\w.-]+(:\\d+)?(/\\d*)?(\\?.*)?|\\[.*)");
    }

    /**
     * Rejects hosts without a scheme, with the addresses that the user wants. Any other text may be a secret, and is
     * left to the message of the library.
     *
     * @param source where the addresses come from
     */
    static List<String> withSchemes(List<String> addresses, String source) {
        List<String> places = addresses.stream()
                .flatMap(address -> Arrays.stream(address.split(SEPARATOR, -1)))
                .toList();
        if (!places.isEmpty() && places.stream().allMatch(place -> place.matches(PLACE))) {
            throw new Failure(
                    ExitCode.USAGE,
                    source + ": an address begins with its scheme; write "
                            + places.stream().map(place -> "redis://" + place).collect(Collectors.joining(SEPARATOR))
                            + ", or rediss:// for TLS");
        }
        return addresses;
    }

    /**
     * Returns where the named servers are reached.
     *
     * @throws IllegalArgumentException if a part is no pair of hosts
     */
    static Map<String, String> map(String text) {
        Map<String, String> reached = new HashMap<>();
        for (String pair : text.split(SEPARATOR, -1)) {
            String[] hosts = pair.strip().split("=", -1);
            if (hosts.length != 2) {
                throw new IllegalArgumentException("'" + pair + "' is not of the form 10.0.0.5:6379=localhost:7001");
            }
            reached.put(hosts[0], hosts[1]);
        }
        HoldfastOptions.builder().addressMap(reached);
        return reached;
    }

    /** Returns {@code true} if the address contains no user and no password, and so needs those of the options. */
    static boolean hasNoLogin(String address) {
        return address.indexOf('@') < 0;
    }
}
