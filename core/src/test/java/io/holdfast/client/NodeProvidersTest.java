package io.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeAddress;
import io.holdfast.node.NodeProvider;
import io.holdfast.node.NodeSettings;
import io.holdfast.node.QuorumConfig;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.Time;
import io.holdfast.time.VirtualTime;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Class paths with Redis clients that cannot be used. */
class NodeProvidersTest {

    private static final NodeSettings SETTINGS =
            new NodeSettings(new QuorumConfig(1, Duration.ofMinutes(1)), false, Duration.ofSeconds(1));

    @TempDir
    private Path directory;

    /** Connects to a node in memory. */
    public static final class Complete implements NodeProvider {

        @Override
        public boolean supports(String scheme) {
            return scheme.equals("test");
        }

        @Override
        public List<LockNode> connect(List<NodeAddress> addresses, NodeSettings settings, Time time) {
            return List.of(new InMemoryNode("memory", time));
        }
    }

    /** Behaves as an adapter whose client is not on the class path. */
    public static final class Incomplete implements NodeProvider {

        @Override
        public boolean supports(String scheme) {
            return scheme.equals("test");
        }

        @Override
        public List<LockNode> connect(List<NodeAddress> addresses, NodeSettings settings, Time time) {
            throw new NoClassDefFoundError("redis/clients/jedis/HostAndPort");
        }
    }

    @Test
    void connect_contextClassLoaderHasAnotherCopy_usesTheOwnClassLoader() throws Exception {
        try (URLClassLoader other = anotherCopy();
                URLClassLoader own = withService(getClass().getClassLoader(), Complete.class)) {
            assertThat(connected(NodeProviders.find(other, own))).isEqualTo("memory");
        }
    }

    @Test
    void connect_firstClientLacksAClass_usesTheNext() throws Exception {
        try (URLClassLoader own = withService(getClass().getClassLoader(), Incomplete.class, Complete.class)) {
            assertThat(connected(NodeProviders.find(null, own))).isEqualTo("memory");
        }
    }

    @Test
    void find_onlyAnotherCopy_namesTheClassAndTheRemedy() throws Exception {
        try (URLClassLoader other = anotherCopy()) {
            assertThatThrownBy(() -> NodeProviders.find(other, getClass().getClassLoader()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll(
                            Complete.class.getName(), "not a subtype", "holdfast-lettuce", "one copy of Holdfast");
        }
    }

    @Test
    void connect_chosenClientLacksAClass_namesBothAndTheRemedy() {
        assertThatThrownBy(() -> Holdfast.connect(List.of("test://a"), HoldfastOptions.DEFAULT, new Incomplete()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll(
                        Incomplete.class.getName(), "redis/clients/jedis/HostAndPort", "all that it depends on");
    }

    private static String connected(NodeProviders providers) {
        return providers
                .connect(List.of(NodeAddress.parse("test://a")), SETTINGS, new VirtualTime())
                .get(0)
                .name();
    }

    /** Returns a class loader that loads its own copy of Holdfast and of the client in this test. */
    private URLClassLoader anotherCopy() throws IOException {
        return withService(ClassLoader.getPlatformClassLoader(), Complete.class);
    }

    private URLClassLoader withService(@Nullable ClassLoader parent, Class<?>... providers) throws IOException {
        Path root = Files.createTempDirectory(directory, "services");
        Path services = Files.createDirectories(root.resolve("META-INF/services"));
        List<String> names = Stream.of(providers).map(Class::getName).toList();
        Files.write(services.resolve(NodeProvider.class.getName()), names);
        return new URLClassLoader(
                new URL[] {root.toUri().toURL(), place(NodeProvider.class), place(getClass())}, parent);
    }

    private static URL place(Class<?> type) {
        return type.getProtectionDomain().getCodeSource().getLocation();
    }
}
