package io.holdfast.spring.boot;

import io.holdfast.Holdfast;
import io.holdfast.jobs.JobOverview;
import io.holdfast.lease.ClientDescription;
import io.holdfast.spring.HoldfastLockConfiguration;
import io.holdfast.spring.LockFactory;
import io.holdfast.spring.leader.LeaderConfiguration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;

/**
 * Configures the client, the locks by annotation, and the leaders of an application.
 *
 * <p>The nodes come from the beans of the type {@link HoldfastConnectionDetails}, else from {@code holdfast.nodes},
 * else from Spring Data Redis.
 */
@AutoConfiguration(afterName = "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration")
@EnableConfigurationProperties(HoldfastProperties.class)
@Import({HoldfastLockConfiguration.class, LeaderConfiguration.class})
@ImportRuntimeHints(HoldfastRuntimeHints.class)
public final class HoldfastAutoConfiguration {

    private final HoldfastProperties properties;

    HoldfastAutoConfiguration(HoldfastProperties properties) {
        this.properties = properties;
    }

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    Holdfast holdfast(
            ObjectProvider<HoldfastConnectionDetails> details,
            ObjectProvider<OtherNode> other,
            ObjectProvider<SslBundles> bundles,
            ObjectProvider<HoldfastOptionsCustomizer> customizers,
            ObjectProvider<NodeDecorator> decorators,
            ConfigurableListableBeanFactory beans,
            Environment environment) {
        NodeSource source = source(details.orderedStream().toList(), other, bundles, environment);
        if (source.isInMemory()) {
            NodesInMemory.warn(environment);
        }
        return new HoldfastConnector(
                        properties,
                        name(environment),
                        customizers.orderedStream(),
                        decorators.orderedStream(),
                        beans.getBeanClassLoader())
                .connect(source);
    }

    /** Returns the name of the client; empty for that of its main class. */
    private Optional<String> name(Environment environment) {
        return Optional.ofNullable(properties.name())
                .or(() -> Optional.ofNullable(environment.getProperty("spring.application.name"))
                        .map(application -> application + "@" + ClientDescription.host()));
    }

    private NodeSource source(
            List<HoldfastConnectionDetails> details,
            ObjectProvider<OtherNode> other,
            ObjectProvider<SslBundles> bundles,
            Environment environment) {
        if (!details.isEmpty()) {
            return described(details);
        } else if (!properties.nodes().isEmpty()) {
            return configured(bundles);
        } else if (Binder.get(environment).bind("holdfast.nodes", String.class).isBound()) {
            throw emptyNodes();
        }
        return other.stream()
                .findFirst()
                .orElseThrow(HoldfastAutoConfiguration::noNodes)
                .get();
    }

    /** The credentials and the certificates of the properties belong to the nodes of the properties. */
    private static NodeSource described(List<HoldfastConnectionDetails> details) {
        return new NodeSource(
                details.stream().flatMap(each -> each.nodes().stream()).toList(),
                List.of(),
                null,
                null,
                new HoldfastProperties.Sentinel(null, null),
                null,
                details.stream().allMatch(HoldfastConnectionDetails::isNew));
    }

    private NodeSource configured(ObjectProvider<SslBundles> bundles) {
        if (NodesInMemory.areIn(properties.nodes())) {
            return NodesInMemory.SOURCE;
        }
        String bundle = properties.ssl().bundle();
        return new NodeSource(
                properties.nodes(),
                properties.previousNodes(),
                properties.username(),
                properties.password(),
                properties.sentinel(),
                bundle == null ? null : bundles.getObject().getBundle(bundle),
                false);
    }

    private static ConfigurationException noNodes() {
        return new ConfigurationException(
                "No node is configured for Holdfast",
                "Set holdfast.nodes to the addresses of one, three or five Redis servers, such as"
                        + " redis://a:6379,redis://b:6379,redis://c:6379.",
                null);
    }

    /** Another instance of the application may have the value: the two would lock on different servers. */
    private static ConfigurationException emptyNodes() {
        return new ConfigurationException(
                "holdfast.nodes is empty",
                "Set holdfast.nodes to the addresses of Redis servers, or remove it to use the server of Spring Data"
                        + " Redis. If its value comes from a variable, check that this is set.",
                null);
    }

    @Bean
    @ConditionalOnMissingBean
    LockFactory holdfastLocks(Holdfast holdfast) {
        return new LockFactory(holdfast, properties.prefix(), new LocksByGroup(properties, holdfast.longestLease()));
    }

    /** The jobs that meters, health and the endpoint show. */
    @Bean
    @ConditionalOnMissingBean
    JobOverview holdfastJobOverview(Holdfast holdfast) {
        return new JobOverview(holdfast, properties.jobs().maxAge());
    }

    @Bean
    static LeaderRegistrar holdfastLeaders(ApplicationContext context) {
        return new LeaderRegistrar(context);
    }

    @Bean
    static DurationUnits holdfastDurationUnits() {
        return new DurationUnits();
    }

    /** A node that is used only if no other is configured. */
    @FunctionalInterface
    interface OtherNode extends Supplier<NodeSource> {}

    /** The server of Spring Data Redis. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(DataRedisConnectionDetails.class)
    @ConditionalOnBooleanProperty(name = "holdfast.use-spring-data-redis", matchIfMissing = true)
    static class SpringDataRedis {

        @Bean
        OtherNode holdfastSpringDataRedisNode(
                ObjectProvider<DataRedisConnectionDetails> redis,
                ConfigurableListableBeanFactory beans,
                Environment environment) {
            return () -> {
                DataRedisConnectionDetails details = redis.getIfAvailable(() -> {
                    throw noNodes();
                });
                OwnConnectionFactory.requireNone(details, beans, environment);
                return SpringDataRedisNode.of(details, environment);
            };
        }
    }
}
