package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.spring.CurrentLease;
import io.holdfast.spring.HoldfastLock;
import io.holdfast.spring.leader.LeaderLifecycle;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.test.tools.CompileWithForkedClassLoader;
import org.springframework.core.test.tools.Compiled;
import org.springframework.core.test.tools.TestCompiler;
import org.springframework.javapoet.ClassName;

/** Tests an application that Spring has processed ahead of time. */
@Tag("evidence")
class AheadOfTimeTest {

    /** The application. */
    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(HoldfastAutoConfiguration.class)
    static class Application {
        @Bean
        Holdfast client() {
            return Holdfast.connect(List.of("redis://a:6379"), HoldfastOptions.DEFAULT, new MemoryNodes());
        }

        @Bean
        Shop shop() {
            return new Shop();
        }
    }

    /** A bean with a lock. */
    static class Shop {
        @HoldfastLock("order")
        public String ship() {
            return CurrentLease.get().resource();
        }
    }

    @Test
    @CompileWithForkedClassLoader
    void start_otherRolesThanAtTheBuild_areTheCandidates() {
        TestGenerationContext generated = new TestGenerationContext();
        ClassName initializer = generate(generated);

        TestCompiler.forSystem().with(generated).compile(compiled -> {
            try (GenericApplicationContext context = context(new GenericApplicationContext(), "reports,mails")) {
                initialize(compiled, initializer.reflectionName(), context);
                context.refresh();

                assertThat(context.getBeansOfType(LeaderLifecycle.class).values())
                        .extracting(LeaderLifecycle::role)
                        .containsExactly("reports", "mails");
                assertThat(context.getBean(Shop.class).ship()).isEqualTo("order");
            }
        });
    }

    @SuppressWarnings("unchecked")
    private static void initialize(Compiled compiled, String initializer, GenericApplicationContext context) {
        compiled.getInstance(ApplicationContextInitializer.class, initializer).initialize(context);
    }

    private static ClassName generate(TestGenerationContext generated) {
        try (AnnotationConfigApplicationContext build =
                context(new AnnotationConfigApplicationContext(), "reports,of-the-build")) {
            build.register(Application.class);
            ClassName initializer = new ApplicationContextAotGenerator().processAheadOfTime(build, generated);
            generated.writeGeneratedContent();
            return initializer;
        }
    }

    private static <T extends GenericApplicationContext> T context(T context, String roles) {
        new UnprotectedMethods().initialize(context);
        context.getEnvironment()
                .getPropertySources()
                .addFirst(new MapPropertySource("of the test", Map.of("holdfast.leader.roles", roles)));
        return context;
    }
}
