package io.holdfast.spring.boot;

import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * A connection factory that the application has defined instead of Boot. Without properties of the server, Boot's
 * details name localhost, while the application uses another server.
 */
final class OwnConnectionFactory {

    private static final String OF_BOOT = "org.springframework.boot.data.redis.";
    private static final List<String> ADDRESS =
            List.of("spring.data.redis.url", "spring.data.redis.host", "spring.data.redis.port");

    private OwnConnectionFactory() {}

    /**
     * Checks that the details name the server that Spring Data Redis uses.
     *
     * @throws ConfigurationException if only a connection factory of the application knows that server
     */
    static void requireNone(
            DataRedisConnectionDetails details, ConfigurableListableBeanFactory beans, Environment environment) {
        boolean isAddressUnset = details.getClass().getName().startsWith(OF_BOOT)
                && SpringDataRedisNode.isOneServer(details)
                && ADDRESS.stream().noneMatch(environment::containsProperty);
        String[] factories = beans.getBeanNamesForType(RedisConnectionFactory.class, true, false);
        if (isAddressUnset
                && factories.length > 0
                && Stream.of(factories).noneMatch(name -> isOfBoot(beans.getMergedBeanDefinition(name)))) {
            throw new ConfigurationException(
                    "The server of the RedisConnectionFactory '" + factories[0] + "' is unknown to Holdfast",
                    "Set holdfast.nodes to the addresses of one, three or five Redis servers, or set"
                            + " spring.data.redis.host and port to the server of the factory.",
                    null);
        }
    }

    private static boolean isOfBoot(BeanDefinition definition) {
        Method method = definition instanceof RootBeanDefinition root ? root.getResolvedFactoryMethod() : null;
        return method != null && method.getDeclaringClass().getName().startsWith(OF_BOOT);
    }
}
