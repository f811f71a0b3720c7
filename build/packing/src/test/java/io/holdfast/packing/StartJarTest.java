package io.holdfast.packing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

class StartJarTest {

    private static final String PREFIX = "io/holdfast/packing/Samples";
    private static final List<String> PREFIXES = List.of("none/", PREFIX);
    private static final String TEXT = "META-INF/text";

    @TempDir
    private Path directory;

    private final Map<String, byte[]> jar = new LinkedHashMap<>();

    @BeforeEach
    void pack() throws IOException {
        jar.put(TEXT, "text".getBytes(StandardCharsets.UTF_8));
        Path classes = Path.of("target/test-classes");
        try (Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(path -> path.toString().endsWith(".class"))
                    .sorted()
                    .toList()) {
                jar.put(classes.relativize(file).toString().replace('\\', '/'), Files.readAllBytes(file));
            }
        }
    }

    @Test
    void rewritten_lambdasAndRecordsOfEveryKind_returnTheSameResults() throws Exception {
        assertThat(results(StartJar.rewritten(jar, PREFIXES)))
                .hasSizeGreaterThan(30)
                .isEqualTo(new Samples().call());
    }

    @Test
    void rewritten_withinThePrefix_leavesOnlyAltMetafactoryLambdas() {
        Map<String, byte[]> rewritten = StartJar.rewritten(jar, PREFIXES);

        assertThat(dynamicCalls(jar, "metafactory")).isGreaterThan(30);
        assertThat(dynamicCalls(rewritten, "metafactory")).isZero();
        assertThat(dynamicCalls(jar, "bootstrap")).isGreaterThan(10);
        assertThat(dynamicCalls(rewritten, "bootstrap")).isZero();
        assertThat(dynamicCalls(rewritten, "altMetafactory"))
                .isEqualTo(dynamicCalls(jar, "altMetafactory"))
                .isPositive();
    }

    @Test
    void rewritten_outsideThePrefix_changesNothing() {
        Map<String, byte[]> rewritten = StartJar.rewritten(jar, PREFIXES);

        assertThat(jar).isNotEmpty().allSatisfy((file, bytes) -> {
            if (!file.startsWith(PREFIX)) {
                assertThat(rewritten).containsEntry(file, bytes);
            }
        });
        assertThat(StartJar.rewritten(jar, List.of("org/"))).isEqualTo(jar);
    }

    @Test
    void rewritten_existingName_throws() {
        jar.put(PREFIX + "$Lambda1.class", jar.get(PREFIX + ".class"));

        assertThatThrownBy(() -> StartJar.rewritten(jar, PREFIXES))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(PREFIX + "$Lambda1");
    }

    @Test
    void rewritten_missingNestHost_throws() {
        jar.remove(PREFIX + ".class");

        assertThatThrownBy(() -> StartJar.rewritten(jar, PREFIXES))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(PREFIX + ", the host of a nest, is not in the jar");
    }

    @Test
    void main_sameJar_writesEqualJars() throws IOException {
        Path original = directory.resolve("original.jar");
        Path first = directory.resolve("first.jar");
        Path second = directory.resolve("second.jar");
        StartJar.write(jar, original);

        StartJar.main(new String[] {original.toString(), first.toString(), PREFIX});
        StartJar.main(new String[] {original.toString(), second.toString(), PREFIX});

        assertThat(StartJar.read(first)).containsEntry(TEXT, jar.get(TEXT)).containsKey(PREFIX + "$Lambda1.class");
        assertThat(first).hasSameBinaryContentAs(second);
    }

    @Test
    void withoutTime_collectedLicences_dependOnTheirTextOnly() {
        String first = "# Aggregated on Sun Nov 22 20:23:46 UTC 2026 from: \n# META-INF/LICENSE.txt\ntext\n";
        String second = first.replace("Sun Nov 22 20:23:46 UTC", "Mon Nov 23 05:30:32 JST");

        assertThat(StartJar.withoutTime(first.getBytes(UTF_8)))
                .isEqualTo(StartJar.withoutTime(second.getBytes(UTF_8)))
                .asString(UTF_8)
                .endsWith("# META-INF/LICENSE.txt\ntext\n");
    }

    @Test
    void main_wrongArguments_throwsWithTheUsage() {
        assertThatThrownBy(() -> StartJar.main(new String[] {"one.jar"}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("prefixes such as io/holdfast/, not [one.jar]");
    }

    /** Returns the results of the classes in the jar; the classes of this test are hidden. */
    private Map<?, ?> results(Map<String, byte[]> files) throws Exception {
        Path packed = directory.resolve("results.jar");
        StartJar.write(files, packed);
        URL[] path = {packed.toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(path, ClassLoader.getPlatformClassLoader())) {
            Class<?> samples = loader.loadClass(Samples.class.getName());
            return (Map<?, ?>) ((Callable<?>) samples.getConstructor().newInstance()).call();
        }
    }

    private static int dynamicCalls(Map<String, byte[]> files, String name) {
        AtomicInteger count = new AtomicInteger();
        ClassVisitor counter = new ClassVisitor(Opcodes.ASM9) {
            @Override
            public MethodVisitor visitMethod(
                    int mode, String method, String descriptor, String signature, String[] thrown) {
                return new MethodVisitor(Opcodes.ASM9) {
                    @Override
                    public void visitInvokeDynamicInsn(
                            String method, String site, Handle factory, Object... arguments) {
                        count.addAndGet(factory.getName().equals(name) ? 1 : 0);
                    }
                };
            }
        };
        files.forEach((file, bytes) -> {
            if (file.startsWith(PREFIX) && file.endsWith(".class")) {
                new ClassReader(bytes).accept(counter, 0);
            }
        });
        return count.get();
    }
}
