package io.holdfast.spring.boot;

import io.holdfast.node.NodeProvider;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * The resources that a native image has to contain: the scripts of the nodes, and the Redis clients that are found by
 * name.
 */
final class HoldfastRuntimeHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
        hints.resources()
                .registerPattern("io/holdfast/redis/script/*")
                .registerPattern("io/holdfast/redis/script/lib/*")
                .registerPattern("io/holdfast/redis/doctor/*")
                .registerPattern("META-INF/services/" + NodeProvider.class.getName());
        ServiceLoader.load(NodeProvider.class, loader).stream()
                .forEach(client ->
                        hints.reflection().registerType(client.type(), MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS));
    }
}
