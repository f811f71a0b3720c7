package io.holdfast.spring.boot.connect;

import io.holdfast.spring.boot.HoldfastConnectionDetails;
import java.util.List;
import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionDetailsFactory;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionSource;

/** Makes a node of each service of Docker Compose that is a Redis or Valkey server. Three services are a quorum. */
final class RedisComposeNodeFactory extends DockerComposeConnectionDetailsFactory<HoldfastConnectionDetails> {

    private static final int PORT = 6379;

    RedisComposeNodeFactory() {
        super(RedisImages.NAMES.toArray(String[]::new));
    }

    @Override
    protected HoldfastConnectionDetails getDockerComposeConnectionDetails(DockerComposeConnectionSource source) {
        return new Node(source.getRunningService());
    }

    private static final class Node extends DockerComposeConnectionDetails implements HoldfastConnectionDetails {

        private final String address;

        Node(RunningService service) {
            super(service);
            this.address = "redis://" + service.host() + ":" + service.ports().get(PORT);
        }

        @Override
        public List<String> nodes() {
            return List.of(address);
        }

        @Override
        public boolean isNew() {
            return true;
        }
    }
}
