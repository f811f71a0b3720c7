package io.holdfast.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The comparison with the previous release leaves out the packages that no module exports, and no other. */
class ComparedPackagesTest {

    private static final Pattern EXCLUDE = Pattern.compile("<exclude>(io\\.holdfast\\.[^<]*)</exclude>");
    private static final Pattern EXPORT = Pattern.compile("exports ([\\w.]+);");

    @Test
    void excludes_areThePackagesThatAreNotExported() throws IOException {
        Set<String> excluded = new TreeSet<>();
        Matcher excludes = EXCLUDE.matcher(SourceFiles.read(SourceFiles.ROOT.resolve("pom.xml")));
        while (excludes.find()) {
            excluded.add(excludes.group(1));
        }

        assertThat(excluded).isEqualTo(internalPackages()).isNotEmpty();
    }

    private static Set<String> internalPackages() {
        return SourceFiles.endingWith("module-info.java").stream()
                .filter(file -> file.toString().contains("src/main"))
                .flatMap(ComparedPackagesTest::internalPackages)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Stream<String> internalPackages(Path moduleInfo) {
        Set<String> exported = EXPORT.matcher(SourceFiles.read(moduleInfo))
                .results()
                .map(export -> export.group(1))
                .collect(Collectors.toSet());
        Path sources = Objects.requireNonNull(moduleInfo.getParent());
        try (Stream<Path> files = Files.walk(sources)) {
            return files
                    .filter(file -> file.toString().endsWith(".java"))
                    .map(Path::getParent)
                    .filter(directory -> !directory.equals(sources))
                    .map(directory -> sources.relativize(directory).toString().replace('/', '.'))
                    .filter(name -> !exported.contains(name))
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
