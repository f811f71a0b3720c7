package io.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.security.Credentials;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NodeAddressTest {

    private static final long SEED = Long.getLong("holdfast.seed", 42);
    private static final int ADDRESSES = 2_000;
    private static final String CHARACTERS = "aZ9_-.~!$&'()*+,;=:@/?#[]% \u00fc\u20ac\"<>\\^`{|}";
    private static final List<String> HOSTS = List.of(
            "a", "my_host", "127.0.0.1", "::1", "2001:db8::7:1", "fe80::1%eth0", "::ffff:10.0.0.1", "host.example.");

    private final Random random = new Random(SEED);

    /** An address that is composed from parts is parsed into the same parts, whatever characters its password has. */
    @Test
    void parse_randomParts_areReturned() {
        for (int i = 0; i < ADDRESSES; i++) {
            NodeAddress parts = randomParts();
            String text = text(parts);

            assertThat(NodeAddress.parse(text))
                    .as("seed %s, address %s: %s", SEED, i, text)
                    .isEqualTo(parts);
        }
    }

    private NodeAddress randomParts() {
        boolean isGroup = random.nextBoolean();
        List<NodeAddress.Host> hosts = new ArrayList<>();
        for (int left = isGroup ? 1 + random.nextInt(3) : 1; left > 0; left--) {
            OptionalInt port = random.nextBoolean() ? OptionalInt.of(1 + random.nextInt(65_535)) : OptionalInt.empty();
            hosts.add(new NodeAddress.Host(HOSTS.get(random.nextInt(HOSTS.size())), port));
        }
        return new NodeAddress(
                isGroup ? "redis-sentinel" : "rediss",
                random.nextBoolean() ? new Credentials(word(), word()) : null,
                hosts,
                random.nextInt(3),
                random.nextBoolean() ? List.of("locks=scripts") : List.of(),
                isGroup ? "main" + random.nextInt(9) : "");
    }

    private String word() {
        return random.ints(random.nextInt(12), 0, CHARACTERS.length())
                .mapToObj(i -> CHARACTERS.substring(i, i + 1))
                .collect(Collectors.joining());
    }

    private static String text(NodeAddress parts) {
        Credentials login = parts.login();
        String hosts = parts.hosts().stream().map(NodeAddress.Host::toString).collect(Collectors.joining(","));
        return parts.scheme() + "://"
                + (login == null ? "" : encoded(login.user()) + ":" + encoded(login.password()) + "@")
                + hosts
                + (parts.database() == 0 ? "" : "/" + parts.database())
                + (parts.parameters().isEmpty() ? "" : "?" + parts.parameters().get(0))
                + (parts.fragment().isEmpty() ? "" : "#" + parts.fragment());
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    @ParameterizedTest
    @CsvSource({
        "redis://a:b:c@host, a, b:c",
        "redis://:p%2Bw@host, '', p+w",
        "redis://:p+w@host, '', p+w",
        "redis://:p+w%20x@host, '', p+w x",
        "redis://u:p%C3%BCw@host, u, p\u00fcw"
    })
    void parse_login_isDecodedOnce(String address, String user, String password) {
        assertThat(NodeAddress.parse(address).login()).isEqualTo(new Credentials(user, password));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "host",
                "redis:/host",
                "redis://",
                "redis:///",
                "redis://a,b",
                "redis://a:",
                "redis://a:0",
                "redis://a:65536",
                "redis://a:x",
                "redis://-",
                "redis://a b",
                "redis://[a]",
                "redis://[::1",
                "redis://::1",
                "redis://[]:1",
                "redis://a/x",
                "redis://a/1234567890",
                "redis://a#b",
                "redis://a?b@c",
                "redis://u@a",
                "redis://u:%@a",
                "redis://u:%zz@a",
                "redis://u:p@",
                "redis://u:p@q@a",
                "redis-cluster://a,,b",
                "redis-cluster://a,",
                "redis://a%2cb"
            })
    void parse_notValid_saysWhyWithoutTheText(String address) {
        assertThatThrownBy(() -> NodeAddress.parse(address))
                .isExactlyInstanceOf(IllegalArgumentException.class)
                .hasNoCause()
                .message()
                .matches("(it|its|behind|a) .*");
    }
}
