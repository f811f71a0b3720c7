package io.holdfast.node;

import io.holdfast.security.Credentials;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The address of a node, such as {@code redis://user:password@host:6379/0} or
 * {@code redis-sentinel://a,[::1]:26379#name}. A text is parsed once, here, and passed on as this type. Immutable.
 *
 * @param scheme the part before {@code ://}, in lower case
 * @param login the user and the password, decoded; null if the address contains none
 * @param hosts the servers; one, unless the scheme stands for a group of servers
 * @param database the number of the database; 0 if the address contains none
 * @param parameters the parts behind {@code ?}, which {@code &} separates
 * @param fragment the part behind {@code #}, decoded; empty if there is none
 */
public record NodeAddress(
        String scheme,
        @Nullable Credentials login,
        List<Host> hosts,
        int database,
        List<String> parameters,
        String fragment) {

    private static final int GREATEST_PORT = 65_535;
    private static final Pattern PARTS =
            Pattern.compile("([a-zA-Z][\\w+.-]*)://([^/?#]*)([^?#]*)(?:\\?([^#]*))?(?:#(.*))?");
    private static final Pattern ILLEGAL = Pattern.compile("[\\s\\p{Cntrl}\\\\^|\"<>{}`]");
    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9_]([a-zA-Z0-9_.-]{0,252}[a-zA-Z0-9_.])?");
    private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*(%[\\w.-]+)?");
    private static final Pattern PLACE = Pattern.compile("(?:\\[([^\\[\\]]*)]|([^:\\[\\]]*))(?::(.*))?");
    private static final Pattern PORT = Pattern.compile("\\d{1,5}");
    private static final Pattern DATABASE = Pattern.compile("/?|/\\d{1,9}");

    /**
     * A server of a node.
     *
     * @param name its name or number; an IPv6 address without brackets
     * @param port its port; empty for the usual one
     */
    public record Host(String name, OptionalInt port) {

        /**
         * Parses a host with or without a port, such as {@code host:6379}, {@code my_host} or {@code [::1]:6379}.
         *
         * @throws IllegalArgumentException if it is none; the message contains nothing of it
         */
        public static Host parse(String text) {
            Matcher place = PLACE.matcher(text);
            require(place.matches(), "it contains no host");
            boolean isNumber = place.group(1) != null;
            String name = isNumber ? place.group(1) : place.group(2);
            require((isNumber ? IPV6 : NAME).matcher(name).matches(), "it contains no host");
            return new Host(name, port(place.group(3)));
        }

        private static OptionalInt port(@Nullable String text) {
            if (text == null) {
                return OptionalInt.empty();
            }
            int port = PORT.matcher(text).matches() ? Integer.parseInt(text) : 0;
            require(port >= 1 && port <= GREATEST_PORT, "its port is not between 1 and 65535");
            return OptionalInt.of(port);
        }

        /** Returns the host as it is part of an address. */
        @Override
        public String toString() {
            String bracketed = name.contains(":") ? "[" + name + "]" : name;
            return port.isPresent() ? bracketed + ":" + port.getAsInt() : bracketed;
        }
    }

    /** Creates an address with copies of the lists. */
    public NodeAddress {
        hosts = List.copyOf(hosts);
        parameters = List.copyOf(parameters);
    }

    /**
     * Parses an address.
     *
     * @throws IllegalArgumentException if it is not valid; the message says why, and contains nothing of the text, a
     *     part of which may be a part of the password
     */
    public static NodeAddress parse(String text) {
        Matcher parts = PARTS.matcher(text.strip());
        require(parts.matches(), "it does not begin with redis://host");
        require(
                !ILLEGAL.matcher(text.strip()).find(),
                "it contains a space or another character that has to be written as %XX");
        String scheme = parts.group(1).toLowerCase(Locale.ROOT);
        boolean isGroup = scheme.contains("-");
        String authority = parts.group(2);
        String query = parts.group(4) == null ? "" : parts.group(4);
        String fragment = parts.group(5) == null ? "" : parts.group(5);
        require(!(query + fragment).contains("@"), "it contains @ behind ? or #");
        require(parts.group(5) == null || isGroup, "it contains #");
        require(DATABASE.matcher(parts.group(3)).matches(), "behind its host is more than the number of the database");
        int at = authority.lastIndexOf('@');
        Credentials login = at < 0 ? null : login(authority.substring(0, at));
        return new NodeAddress(
                scheme,
                login,
                hosts(authority.substring(at + 1), isGroup),
                parts.group(3).length() < 2
                        ? 0
                        : Integer.parseInt(parts.group(3).substring(1)),
                query.isEmpty() ? List.of() : List.of(query.split("&")),
                decoded(fragment));
    }

    /** Without a colon, some clients read the part before @ as a user, and others as a password. */
    private static Credentials login(String text) {
        int colon = text.indexOf(':');
        require(
                colon >= 0,
                "it has a user without a password, or a password without the colon of redis://:password@host");
        require(
                !text.contains("@") && !text.contains("[") && !text.contains("]"),
                "its user or password contains @, [ or ]");
        return new Credentials(decoded(text.substring(0, colon)), decoded(text.substring(colon + 1)));
    }

    private static List<Host> hosts(String text, boolean isGroup) {
        String[] hosts = text.split(",", -1);
        require(hosts.length == 1 || isGroup, "it contains a comma");
        List<Host> all = new ArrayList<>();
        for (String host : hosts) {
            all.add(Host.parse(host));
        }
        return all;
    }

    /** Decodes {@code %XX}. */
    private static String decoded(String text) {
        if (!text.contains("%")) {
            return text;
        }
        require(!text.matches("(?s).*%(?![0-9a-fA-F]{2}).*"), "a % in it is not followed by two hexadecimal digits");
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static void require(boolean rule, String otherwise) {
        if (!rule) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    /** Returns the address without user, password and parameters. */
    @Override
    public String toString() {
        return scheme + "://" + hosts.stream().map(Host::toString).collect(Collectors.joining(","))
                + (database == 0 ? "" : "/" + database)
                + (fragment.isEmpty() ? "" : "#" + fragment);
    }
}
