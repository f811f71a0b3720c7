package io.holdfast.spring.boot.connect;

import io.holdfast.spring.boot.HoldfastConnectionDetails;
import java.util.List;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionDetailsFactory;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionSource;
import org.testcontainers.containers.Container;

/** Makes a node of each container of Redis or Valkey with {@code @ServiceConnection}. Three containers are a quorum. */
final class RedisContainerNodeFactory
        extends ContainerConnectionDetailsFactory<Container<?>, HoldfastConnectionDetails> {

    private static final int PORT = 6379;

    RedisContainerNodeFactory() {
        super(RedisImages.NAMES);
    }

    @Override
    protected HoldfastConnectionDetails getContainerConnectionDetails(ContainerConnectionSource<Container<?>> source) {
        return new Node(source);
    }

    private static final class Node extends ContainerConnectionDetails<Container<?>>
            implements HoldfastConnectionDetails {

        Node(ContainerConnectionSource<Container<?>> source) {
            super(source);
        }

        @Override
        public List<String> nodes() {
            return List.of(
                    "redis://" + getContainer().getHost() + ":" + getContainer().getMappedPort(PORT));
        }

        @Override
        public boolean isNew() {
            return true;
        }
    }
}
