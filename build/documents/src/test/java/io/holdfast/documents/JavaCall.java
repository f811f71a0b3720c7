package io.holdfast.documents;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.simulation.Simulate;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;

/** Checks a call of Java: the build makes the archive, and the simulation understands its options. */
final class JavaCall {

    private static final Pattern ARCHIVE = Pattern.compile("(evidence/([a-z]+))/target/holdfast-\\2-(.+)\\.jar");
    private static final Pattern VERSION = Pattern.compile("<version>(.+)</version>");

    private JavaCall() {}

    static void check(List<String> words) {
        int at = words.indexOf("-jar") + 1;
        Matcher archive = ARCHIVE.matcher(words.get(at));
        assertThat(archive.matches()).as(words.get(at)).isTrue();
        assertThat(CodeBlock.ROOT.resolve(archive.group(1)).resolve("pom.xml")).exists();
        assertThat(archive.group(3)).isEqualTo(version());
        if (archive.group(1).equals("evidence/simulation")) {
            new CommandLine(new Simulate())
                    .parseArgs(words.subList(at + 1, words.size()).toArray(String[]::new));
        }
    }

    static String version() {
        Matcher version = VERSION.matcher(CodeBlock.read("pom.xml"));
        assertThat(version.find()).isTrue();
        return version.group(1);
    }
}
