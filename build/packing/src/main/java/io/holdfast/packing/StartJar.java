package io.holdfast.packing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;

/**
 * Does once what Java would do at each start of the command, and what would take it a third of a short run on Java 17.
 * Replaces each lambda expression and method reference in a jar by a class, and the generated methods of records by
 * plain code; records the digests of the Lua scripts and the files that each start reads.
 */
public final class StartJar {

    private static final String CLASS = ".class";
    private static final String LICENSES = "META-INF/LICENSES";
    /** A constant time makes the build reproducible. 1980-01-01 would precede the first zip date in some time zones. */
    private static final LocalDateTime TIME = LocalDateTime.of(1980, 2, 1, 0, 0);

    private static final String SCRIPT = "io.holdfast.redis.script.Script";
    private static final String DIGESTS = "io/holdfast/redis/script/digests";

    /** The class that finds recorded files, and how it separates them. */
    private static final String RECORDED = "io/holdfast/redis/file/RecordedFiles.class";

    private static final String SEPARATOR = "\0";
    private static final List<String> FILES = List.of(DIGESTS, "META-INF/maven/redis.clients/jedis/pom.properties");
    /** The class of Jedis that reads its version from this file. */
    private static final String JEDIS = "redis/clients/jedis/JedisMetaInfo.class";

    private static final String JEDIS_VERSION = "redis/clients/jedis/pom.properties";

    private StartJar() {}

    /** Takes the jar to read, the jar to write, and one or more prefixes of the classes to change. */
    public static void main(String[] arguments) throws IOException {
        if (arguments.length < 3) {
            throw new IllegalArgumentException(
                    "The arguments are the jar to read, the jar to write and prefixes such as io/holdfast/, not "
                            + List.of(arguments));
        }
        Map<String, byte[]> jar = read(Path.of(arguments[0]));
        if (jar.containsKey(SCRIPT.replace('.', '/') + CLASS)) {
            jar.put(DIGESTS, digests(Path.of(arguments[0])));
        }
        jar.computeIfPresent(LICENSES, (name, text) -> withoutTime(text));
        recordFiles(jar);
        recordVersion(jar);
        List<String> words = List.of(arguments);
        write(rewritten(jar, words.subList(2, words.size())), Path.of(arguments[1]));
    }

    /** Copies the files that each start reads into the class that finds them. */
    private static void recordFiles(Map<String, byte[]> jar) {
        String text = FILES.stream()
                .filter(jar::containsKey)
                .map(file -> SEPARATOR + file + SEPARATOR + new String(jar.get(file), UTF_8))
                .collect(Collectors.joining("", "", SEPARATOR));
        jar.computeIfPresent(RECORDED, (name, bytes) -> ConstantFields.set(bytes, Map.of("TEXT", text)));
    }

    /** Copies the version of Jedis into its class, which otherwise reads the file at each start. */
    private static void recordVersion(Map<String, byte[]> jar) throws IOException {
        byte[] file = jar.get(JEDIS_VERSION);
        if (file != null) {
            Properties version = new Properties();
            version.load(new ByteArrayInputStream(file));
            Map<String, String> fields = version.stringPropertyNames().stream()
                    .collect(Collectors.toMap(Function.identity(), version::getProperty));
            jar.computeIfPresent(JEDIS, (name, bytes) -> ConstantFields.set(bytes, fields));
        }
    }

    /** Returns the digests of the Lua scripts, as the classes in the jar compute them. */
    private static byte[] digests(Path jar) throws IOException {
        URL[] path = {jar.toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(path, ClassLoader.getPlatformClassLoader())) {
            List<?> lines =
                    (List<?>) loader.loadClass(SCRIPT).getMethod("digests").invoke(null);
            return lines.stream()
                    .map(Object::toString)
                    .collect(Collectors.joining("\n"))
                    .getBytes(UTF_8);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(SCRIPT + " has no method that returns the digests", e);
        }
    }

    /** Returns the collected licences without the time at which the assembly plugin has collected them. */
    static byte[] withoutTime(byte[] licences) {
        return new String(licences, UTF_8)
                .replaceFirst("^# Aggregated on .* from:", "# From:")
                .getBytes(UTF_8);
    }

    /** Returns the files with changed classes, followed by the new classes. */
    static Map<String, byte[]> rewritten(Map<String, byte[]> jar, List<String> prefixes) {
        Map<String, DynamicCalls> changes = new LinkedHashMap<>();
        jar.forEach((file, bytes) -> {
            if (file.endsWith(CLASS) && prefixes.stream().anyMatch(file::startsWith)) {
                changes.put(file, DynamicCalls.of(bytes));
            }
        });
        changes.values().removeIf(calls -> !calls.isChanged());
        Map<String, byte[]> result = new LinkedHashMap<>(jar);
        changes.forEach((file, calls) -> result.put(file, calls.rewritten()));
        for (DynamicCalls calls : changes.values()) {
            calls.classes().forEach((name, bytes) -> add(result, name, bytes));
            if (!calls.classes().isEmpty()) {
                addNestMembers(result, calls);
            }
        }
        return result;
    }

    private static void add(Map<String, byte[]> jar, String name, byte[] bytes) {
        if (jar.putIfAbsent(name + CLASS, bytes) != null) {
            throw new IllegalStateException("There is already a class " + name + "; rename it");
        }
    }

    /** Adds the new classes to the members of the nest host, so that they may call private methods of the nest. */
    private static void addNestMembers(Map<String, byte[]> jar, DynamicCalls calls) {
        byte[] host = jar.get(calls.nestHost() + CLASS);
        if (host == null) {
            throw new IllegalStateException(calls.nestHost() + ", the host of a nest, is not in the jar");
        }
        ClassWriter writer = new ClassWriter(0);
        new ClassReader(host)
                .accept(
                        new ClassVisitor(Opcodes.ASM9, writer) {
                            @Override
                            public void visitEnd() {
                                calls.classes().keySet().forEach(this::visitNestMember);
                                super.visitEnd();
                            }
                        },
                        0);
        jar.put(calls.nestHost() + CLASS, writer.toByteArray());
    }

    static Map<String, byte[]> read(Path jar) throws IOException {
        Map<String, byte[]> files = new LinkedHashMap<>();
        try (InputStream in = Files.newInputStream(jar);
                ZipInputStream zip = new ZipInputStream(in)) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                if (!entry.isDirectory()) {
                    files.put(entry.getName(), zip.readAllBytes());
                }
            }
        }
        return files;
    }

    static void write(Map<String, byte[]> files, Path jar) throws IOException {
        try (OutputStream out = Files.newOutputStream(jar);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                ZipEntry entry = new ZipEntry(file.getKey());
                entry.setTimeLocal(TIME);
                zip.putNextEntry(entry);
                zip.write(file.getValue());
            }
        }
    }
}
