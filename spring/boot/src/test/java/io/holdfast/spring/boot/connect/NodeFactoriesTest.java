package io.holdfast.spring.boot.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spring.boot.HoldfastConnectionDetails;
import java.lang.reflect.Constructor;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetailsFactory;
import org.springframework.boot.docker.compose.core.ConnectionPorts;
import org.springframework.boot.docker.compose.core.ImageReference;
import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionSource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.support.SpringFactoriesLoader;

/** Tests the nodes of Docker Compose without Docker, and that Boot finds both factories. */
class NodeFactoriesTest {

    @Test
    void load_byBoot_findsBothFactories() {
        SpringFactoriesLoader.FailureHandler othersNeedArguments = (type, name, cause) -> {};
        assertThat(SpringFactoriesLoader.forDefaultResourceLocation()
                        .load(ConnectionDetailsFactory.class, othersNeedArguments))
                .hasAtLeastOneElementOfType(RedisComposeNodeFactory.class)
                .hasAtLeastOneElementOfType(RedisContainerNodeFactory.class);
    }

    @Test
    void compose_redisOrValkey_isANewNode() {
        for (String image :
                List.of("redis:8", "valkey/valkey:9", "redis/redis-stack:7", "redis/redis-stack-server:7")) {
            HoldfastConnectionDetails node = Objects.requireNonNull(details(image));

            assertThat(node.nodes()).containsExactly("redis://compose:32768");
            assertThat(node.isNew()).isTrue();
        }
    }

    @Test
    void compose_otherService_isNoNode() {
        assertThat(details("postgres:18")).isNull();
    }

    /** Returns what Boot would get for a service of this image; null if it is not for Holdfast. */
    private static @Nullable HoldfastConnectionDetails details(String image) {
        try {
            Constructor<DockerComposeConnectionSource> source =
                    DockerComposeConnectionSource.class.getDeclaredConstructor(RunningService.class, Environment.class);
            source.setAccessible(true);
            return new RedisComposeNodeFactory()
                    .getConnectionDetails(source.newInstance(new Service(image), new StandardEnvironment()));
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    private record Service(String reference) implements RunningService {

        @Override
        public String name() {
            return "service";
        }

        @Override
        public ImageReference image() {
            return ImageReference.of(reference);
        }

        @Override
        public String host() {
            return "compose";
        }

        @Override
        public ConnectionPorts ports() {
            return new ConnectionPorts() {
                @Override
                public int get(int containerPort) {
                    return 32_768;
                }

                @Override
                public List<Integer> getAll() {
                    return List.of(32_768);
                }

                @Override
                public List<Integer> getAll(@Nullable String protocol) {
                    return getAll();
                }
            };
        }

        @Override
        public Map<String, String> env() {
            return Map.of();
        }

        @Override
        public Map<String, String> labels() {
            return Map.of();
        }
    }
}
