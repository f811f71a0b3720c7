package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.security.ConnectionSecurity;
import io.holdfast.security.Credentials;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Tests the server of Spring Data Redis as the single node. */
class SpringDataRedisNodeTest {

    private final MemoryNodes nodes = new MemoryNodes();
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    HoldfastAutoConfiguration.class, DataRedisAutoConfiguration.class, SslAutoConfiguration.class))
            .withBean(MemoryNodes.class, () -> nodes);

    @Test
    void connect_noNodes_usesTheServerWithItsCredentials() {
        runner.withPropertyValues(
                        "spring.data.redis.host=cache",
                        "spring.data.redis.port=6380",
                        "spring.data.redis.database=3",
                        "spring.data.redis.username=app",
                        "spring.data.redis.password=secret")
                .run(context -> {
                    assertThat(context).hasSingleBean(Holdfast.class).hasSingleBean(RedisConnectionFactory.class);
                    assertThat(nodes.addresses()).containsExactly("redis://cache:6380/3");
                    assertThat(Objects.requireNonNull(
                                            nodes.settings().security().credentials())
                                    .get())
                            .isEqualTo(new Credentials("app", "secret"));
                });
    }

    /** The server that is meant is not known, and another instance may use it. */
    @ParameterizedTest
    @ValueSource(strings = {"holdfast.nodes=", "holdfast.nodes=${redis.nodes:}"})
    void connect_nodesAreEmpty_isRejected(String property) {
        runner.withPropertyValues(property)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(ConfigurationException.class)
                        .hasMessage("holdfast.nodes is empty"));
    }

    @Test
    void connect_tls_usesTheSameCertificates() {
        runner.withPropertyValues(
                        "spring.data.redis.ssl.bundle=own",
                        "spring.ssl.bundle.pem.own.truststore.certificate=classpath:ca.pem")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(nodes.addresses()).containsExactly("rediss://localhost:6379");
                    assertThat(nodes.settings().security().trustManagers()).isNotNull();
                });
    }

    /** Boot's details have no bundle then, and a connection without TLS would send the password in clear text. */
    @Test
    void connect_urlOfTls_usesTls() {
        runner.withPropertyValues("spring.data.redis.url=rediss://app:secret@cache:6380")
                .run(context -> assertThat(nodes.addresses()).containsExactly("rediss://cache:6380"));
    }

    @Test
    void connect_urlWithoutTls_usesNone() {
        runner.withPropertyValues("spring.data.redis.url=redis://app:secret@cache:6380")
                .run(context -> assertThat(nodes.addresses()).containsExactly("redis://cache:6380"));
    }

    /** The details of a container are not those of the properties. */
    @Test
    void connect_urlOfTlsAndOtherDetails_usesTheDetails() {
        DataRedisConnectionDetails container = new DataRedisConnectionDetails() {
            @Override
            public Standalone getStandalone() {
                return Standalone.of("container", 6381);
            }
        };
        runner.withBean(DataRedisConnectionDetails.class, () -> container)
                .withPropertyValues("spring.data.redis.url=rediss://cache:6380")
                .run(context -> assertThat(nodes.addresses()).containsExactly("redis://container:6381"));
    }

    @Test
    void connect_sentinels_areOneNode() {
        runner.withPropertyValues(
                        "spring.data.redis.sentinel.master=main", "spring.data.redis.sentinel.nodes=s1:26379,s2:26379")
                .run(context ->
                        assertThat(nodes.addresses()).containsExactly("redis-sentinel://s1:26379,s2:26379#main"));
    }

    @Test
    void connect_sentinelsWithCredentials_areThoseOfTheSentinels() {
        runner.withPropertyValues(
                        "spring.data.redis.sentinel.master=main",
                        "spring.data.redis.sentinel.nodes=s1:26379",
                        "spring.data.redis.password=of-the-master",
                        "spring.data.redis.sentinel.password=of-the-sentinels")
                .run(context -> {
                    ConnectionSecurity security = nodes.settings().security();
                    assertThat(Objects.requireNonNull(security.credentials()).get())
                            .isEqualTo(new Credentials("", "of-the-master"));
                    assertThat(Objects.requireNonNull(security.sentinelCredentials())
                                    .get())
                            .isEqualTo(new Credentials("", "of-the-sentinels"));
                });
    }

    private static RedisConnectionFactory own() {
        return new LettuceConnectionFactory("elsewhere", 6379);
    }

    @Test
    void connect_ownConnectionFactory_isRejectedWithTheRemedy() {
        runner.withBean("own", RedisConnectionFactory.class, SpringDataRedisNodeTest::own)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(ConfigurationException.class)
                        .hasMessageContaining("RedisConnectionFactory 'own'"));
    }

    @Test
    void connect_ownConnectionFactoryAndAddress_usesTheAddress() {
        runner.withBean("own", RedisConnectionFactory.class, SpringDataRedisNodeTest::own)
                .withPropertyValues("spring.data.redis.host=elsewhere")
                .run(context -> assertThat(nodes.addresses()).containsExactly("redis://elsewhere:6379"));
    }

    /** Boot's details name a server as well. */
    @Test
    void connect_ownConnectionFactoryAndSentinels_usesTheSentinels() {
        runner.withBean("own", RedisConnectionFactory.class, SpringDataRedisNodeTest::own)
                .withPropertyValues(
                        "spring.data.redis.sentinel.master=main", "spring.data.redis.sentinel.nodes=s1:26379")
                .run(context -> assertThat(nodes.addresses()).containsExactly("redis-sentinel://s1:26379#main"));
    }

    /** Boot's details name localhost as well, where each machine might have a lock of its own. */
    @Test
    void connect_masterAndReplicas_isRefusedWithTheRemedy() {
        runner.withPropertyValues("spring.data.redis.masterreplica.nodes=r1:6379,r2:6379")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(ConfigurationException.class)
                        .hasMessageContaining("a master and replicas, which cannot be a node"));
    }

    /** Spring Data Redis ignores an empty name of a user. */
    @Test
    void connect_emptyUserWithoutPassword_hasNoCredentials() {
        runner.withPropertyValues("spring.data.redis.username=").run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(nodes.settings().security().credentials()).isNull();
        });
    }

    @Test
    void connect_noProperties_usesTheServerOfBoot() {
        runner.run(context -> assertThat(nodes.addresses()).containsExactly("redis://localhost:6379"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"::1", "[::1]"})
    void connect_ipv6_isInBrackets(String host) {
        runner.withPropertyValues("spring.data.redis.host=" + host, "spring.data.redis.port=6380")
                .run(context -> assertThat(nodes.addresses()).containsExactly("redis://[::1]:6380"));
    }

    @Test
    void connect_cluster_isOneNode() {
        runner.withPropertyValues("spring.data.redis.cluster.nodes=c1:6379,c2:6379")
                .run(context -> assertThat(nodes.addresses()).containsExactly("redis-cluster://c1:6379,c2:6379"));
    }

    @Test
    void connect_nodesAreConfigured_ignoresTheServer() {
        runner.withPropertyValues("spring.data.redis.host=cache", "holdfast.nodes=redis://a:6379")
                .run(context -> assertThat(nodes.addresses()).containsExactly("redis://a:6379"));
    }

    @Test
    void connect_switchedOff_failsWithoutNodes() {
        runner.withPropertyValues("holdfast.use-spring-data-redis=false")
                .run(context -> assertThat(context).hasFailed());
    }

    @Test
    void connect_withoutSpringDataRedis_works() {
        runner.withClassLoader(
                        new FilteredClassLoader("org.springframework.boot.data.redis", "org.springframework.data"))
                .withPropertyValues("holdfast.nodes=redis://a:6379")
                .run(context -> assertThat(context).hasSingleBean(Holdfast.class));
    }
}
