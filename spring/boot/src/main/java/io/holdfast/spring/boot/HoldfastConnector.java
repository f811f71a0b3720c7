package io.holdfast.spring.boot;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.HoldfastOptionsBuilder;
import io.holdfast.node.NodeProvider;
import io.holdfast.security.Credentials;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;

/** Creates the client of an application from its properties. */
final class HoldfastConnector {

    private final HoldfastProperties properties;
    private final Optional<String> name;
    private final Stream<HoldfastOptionsCustomizer> customizers;
    private final Stream<NodeDecorator> decorators;
    private final @Nullable ClassLoader loader;

    /**
     * Creates a connector.
     *
     * @param loader of the application: a thread of a pool, which may create a lazy bean, need not see its classes
     */
    HoldfastConnector(
            HoldfastProperties properties,
            Optional<String> name,
            Stream<HoldfastOptionsCustomizer> customizers,
            Stream<NodeDecorator> decorators,
            @Nullable ClassLoader loader) {
        this.properties = properties;
        this.name = name;
        this.customizers = customizers;
        this.decorators = decorators;
        this.loader = loader;
    }

    /** Connects to the nodes. Servers that were started for this application vote at once. */
    Holdfast connect(NodeSource source) {
        requireEncryption(source);
        requirePassword(source.username(), source.password(), "holdfast");
        requirePassword(source.sentinel().username(), source.sentinel().password(), "holdfast.sentinel");
        Holdfast holdfast;
        try {
            holdfast = Holdfast.connect(source.addresses(), options(source), decorated(client(source)));
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(
                    "Holdfast cannot connect: " + e.getMessage(), "Correct holdfast.* in the configuration.", e);
        }
        if (source.isNew()) {
            holdfast.admin().admit();
        }
        return holdfast;
    }

    /** Without this check, an address without TLS would ignore the certificates and send the password in clear text. */
    private static void requireEncryption(NodeSource source) {
        if (source.bundle() != null
                && Stream.concat(source.addresses().stream(), source.previous().stream())
                        .anyMatch(address -> !address.strip().startsWith("rediss"))) {
            throw new ConfigurationException(
                    "holdfast.ssl.bundle is set, but an address in holdfast.nodes or holdfast.previous-nodes does not"
                            + " use TLS",
                    "Begin all addresses with rediss://, or remove holdfast.ssl.bundle.",
                    null);
        }
    }

    /** Without this check, the client would log in as the default user. */
    private static void requirePassword(@Nullable String username, @Nullable String password, String properties) {
        if (username != null && !username.isEmpty() && password == null) {
            throw new ConfigurationException(
                    properties + ".username is set, but " + properties + ".password is not",
                    "Set " + properties + ".password as well, or remove " + properties + ".username.",
                    null);
        }
    }

    private HoldfastOptions options(NodeSource source) {
        HoldfastOptionsBuilder options = HoldfastOptions.builder()
                .maxLease(properties.maxLease())
                .previousNodes(source.previous())
                .restarts(properties.restarts())
                .strictFences(properties.strictFences())
                .connectTimeout(properties.connectTimeout())
                .replicas(properties.replicas())
                .addressMap(properties.addressMap());
        Duration previousMaxLease = properties.previousMaxLease();
        if (previousMaxLease != null) {
            options.previousMaxLease(previousMaxLease);
        }
        credentials(source.username(), source.password()).ifPresent(known -> options.credentials(() -> known));
        credentials(source.sentinel().username(), source.sentinel().password())
                .ifPresent(known -> options.sentinelCredentials(() -> known));
        SslBundle bundle = source.bundle();
        if (bundle != null) {
            options.trustManagers(bundle.getManagers().getTrustManagerFactory());
            options.keyManagers(bundle.getManagers().getKeyManagerFactory());
        }
        name.ifPresent(options::name);
        customizers.forEach(customizer -> customizer.customize(options));
        return options.build();
    }

    private static Optional<Credentials> credentials(@Nullable String username, @Nullable String password) {
        return password == null
                ? Optional.empty()
                : Optional.of(new Credentials(username == null ? "" : username, password));
    }

    private NodeProvider decorated(NodeProvider client) {
        return decorators.reduce(client, (inner, decorator) -> decorator.decorate(inner), (first, second) -> second);
    }

    private NodeProvider client(NodeSource source) {
        return source.isInMemory() ? new NodesInMemory() : redisClient();
    }

    private NodeProvider redisClient() {
        HoldfastProperties.Client wanted = properties.client();
        String artifact = wanted == null ? "" : "io.holdfast." + wanted.name().toLowerCase(Locale.ROOT);
        List<NodeProvider> found = ServiceLoader.load(NodeProvider.class, loader).stream()
                .filter(provider -> provider.type().getPackageName().startsWith(artifact))
                .map(ServiceLoader.Provider::get)
                .toList();
        if (found.isEmpty()) {
            throw new ConfigurationException(
                    wanted == null
                            ? "No Redis client for Holdfast is on the class path"
                            : "The Redis client of holdfast.client="
                                    + wanted.name().toLowerCase(Locale.ROOT) + " is not on the class path",
                    "Add io.holdfast:"
                            + (wanted == HoldfastProperties.Client.JEDIS ? "holdfast-jedis" : "holdfast-lettuce")
                            + " to the dependencies.",
                    null);
        }
        return found.get(0);
    }
}
