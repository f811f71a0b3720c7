package io.holdfast.spring.boot.starter;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.servers.Eventually;
import io.holdfast.servers.RedisServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A new project outside of this repository, with the starter from a staged repository and the lines of README.md. Maven
 * downloads what Spring Boot's BOM names and this build does not use.
 */
@Tag("evidence")
class NewProjectTest {

    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
    private static final String VERSION = "0.1.0-SNAPSHOT";
    /** The artifacts that the project needs, with their directories. */
    private static final Map<String, String> STAGED = Map.of(
            "holdfast-core", "core",
            "holdfast-redis", "redis",
            "holdfast-jobs", "jobs",
            "holdfast-lettuce", "clients/lettuce",
            "holdfast-micrometer", "integrations/micrometer",
            "holdfast-spring", "spring/spring",
            "holdfast-spring-boot", "spring/boot",
            "holdfast-spring-boot-starter", "spring/starter");

    @TempDir
    private Path directory;

    @Test
    void run_linesOfTheReadme_print() throws Exception {
        Path repository = stage();
        Path project = project();

        build(project, repository);

        try (RedisServers servers = RedisServers.start(3)) {
            assertThat(firstReport(project, servers.addresses())).startsWith("report ");
        }
    }

    /**
     * Creates a local repository with links to what Maven has downloaded, and with the staged artifacts of this build
     * only.
     */
    private Path stage() throws IOException {
        Path downloaded = Path.of(System.getProperty("holdfast.local.repository"));
        Path repository = Files.createDirectories(directory.resolve("repository"));
        link(downloaded, repository, "io");
        Path io = Files.createDirectories(repository.resolve("io"));
        link(downloaded.resolve("io"), io, "holdfast");
        Path holdfast = io.resolve("holdfast");
        copy(ROOT.resolve("pom.xml"), holdfast, "holdfast-parent", "pom");
        for (Map.Entry<String, String> module : STAGED.entrySet()) {
            String artifact = module.getKey();
            Path source = ROOT.resolve(module.getValue());
            copy(source.resolve("pom.xml"), holdfast, artifact, "pom");
            copy(source.resolve("target").resolve(artifact + "-" + VERSION + ".jar"), holdfast, artifact, "jar");
        }
        return repository;
    }

    private static void link(Path from, Path to, String except) throws IOException {
        try (Stream<Path> children = Files.list(from)) {
            for (Path child : children.toList()) {
                if (!child.endsWith(except)) {
                    Files.createSymbolicLink(to.resolve(child.getFileName()), child);
                }
            }
        }
    }

    private static void copy(Path file, Path group, String artifact, String type) throws IOException {
        Path folder = Files.createDirectories(group.resolve(artifact).resolve(VERSION));
        Files.copy(file, folder.resolve(artifact + "-" + VERSION + "." + type));
    }

    /** Writes the project of a user: a pom, the method of the README in a class, and the main class. */
    private Path project() throws IOException {
        Path project = directory.resolve("project");
        Path sources = Files.createDirectories(project.resolve("src/main/java/shop"));
        Files.writeString(project.resolve("pom.xml"), pom());
        Files.writeString(sources.resolve("Reports.java"), """
                package shop;

                import io.holdfast.spring.*;
                import org.springframework.scheduling.annotation.Scheduled;
                import org.springframework.stereotype.Service;

                @Service
                public class Reports {

                """ + linesOfTheReadme() + "}\n");
        Files.writeString(sources.resolve("Shop.java"), """
                package shop;

                import org.springframework.boot.SpringApplication;
                import org.springframework.boot.autoconfigure.SpringBootApplication;
                import org.springframework.scheduling.annotation.EnableScheduling;

                @SpringBootApplication
                @EnableScheduling
                public class Shop {

                    public static void main(String[] arguments) {
                        SpringApplication.run(Shop.class, arguments);
                    }
                }
                """);
        return project;
    }

    private static String linesOfTheReadme() throws IOException {
        Matcher lines = Pattern.compile("```java\\n(@Scheduled.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(ROOT.resolve("README.md")));
        assertThat(lines.find()).isTrue();
        assertThat(lines.group(1).lines()).hasSizeLessThanOrEqualTo(3);
        return lines.group(1);
    }

    private static String pom() {
        return """
                <project>
                  <modelVersion>4.0.0</modelVersion>
                  <groupId>shop</groupId>
                  <artifactId>shop</artifactId>
                  <version>1</version>
                  <properties>
                    <maven.compiler.release>17</maven.compiler.release>
                    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
                  </properties>
                  <dependencyManagement>
                    <dependencies>
                      <dependency>
                        <groupId>org.springframework.boot</groupId>
                        <artifactId>spring-boot-dependencies</artifactId>
                        <version>%s</version>
                        <type>pom</type>
                        <scope>import</scope>
                      </dependency>
                    </dependencies>
                  </dependencyManagement>
                  <dependencies>
                    <dependency>
                      <groupId>io.holdfast</groupId>
                      <artifactId>holdfast-spring-boot-starter</artifactId>
                      <version>%s</version>
                    </dependency>
                  </dependencies>
                  <build>
                    <plugins>
                      <plugin><artifactId>maven-resources-plugin</artifactId><version>3.5.0</version></plugin>
                      <plugin><artifactId>maven-compiler-plugin</artifactId><version>3.15.0</version></plugin>
                      <plugin><artifactId>maven-dependency-plugin</artifactId><version>3.11.0</version></plugin>
                    </plugins>
                  </build>
                </project>
                """.formatted(System.getProperty("holdfast.boot.version"), VERSION);
    }

    private static void build(Path project, Path repository) throws IOException, InterruptedException {
        Path log = project.resolve("build.log");
        Process maven = new ProcessBuilder(
                        "mvn",
                        "-B",
                        "-Dmaven.repo.local=" + repository,
                        "compile",
                        "dependency:build-classpath",
                        "-Dmdep.outputFile=target/classpath")
                .directory(project.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        maven.waitFor();
        assertThat(maven.exitValue()).as(Files.readString(log)).isZero();
    }

    /**
     * Runs the application as a user does, until it prints. A call that failed before would print a stack trace at the
     * level ERROR.
     */
    private static String firstReport(Path project, List<String> nodes) throws IOException {
        Path log = project.resolve("shop.log");
        Process shop = new ProcessBuilder(
                        "java",
                        "-cp",
                        "target/classes:" + Files.readString(project.resolve("target/classpath")),
                        "shop.Shop",
                        "--spring.main.banner-mode=off",
                        "--holdfast.nodes=" + String.join(",", nodes))
                .directory(project.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            Eventually.eventually("the application prints", () -> {
                assertThat(shop.isAlive()).as(Files.readString(log)).isTrue();
                return reports(log).findAny().isPresent();
            });
            assertThat(Files.readString(log)).doesNotContain(" ERROR ");
            return reports(log).findFirst().orElseThrow();
        } finally {
            shop.destroy();
        }
    }

    private static Stream<String> reports(Path log) throws IOException {
        return Files.readAllLines(log).stream().filter(line -> line.startsWith("report "));
    }
}
