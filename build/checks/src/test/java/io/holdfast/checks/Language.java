package io.holdfast.checks;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The rules for prose in this repository. Each violation names the file, the line, and what to write instead. */
final class Language {

    private static final int LONGEST_SENTENCE = 40;
    private static final Pattern SUMMARY =
            Pattern.compile("^\\s*(The same|What|Whether|Where|Who|It|How|That|Those)\\b");
    private static final Pattern SENTENCE_END =
            Pattern.compile("(?<=[.:;!?])\\s+|\\n\\s*\\n|\\n(?=\\s*[-|@*#>])|<[^>]*>");
    private static final Pattern WORD = Pattern.compile("[A-Za-z]\\S*");

    private final List<Banned> banned;

    private record Banned(Pattern phrase, String replacement) {

        static Banned of(String line) {
            String[] parts = line.split("\t", 2);
            return new Banned(Pattern.compile(parts[0], Pattern.CASE_INSENSITIVE), parts[1]);
        }
    }

    private Language(List<Banned> banned) {
        this.banned = banned;
    }

    /** Reads the phrases that are banned from the file beside this class. */
    static Language ofThisRepository() {
        try (InputStream in = Language.class.getResourceAsStream("banned-phrases.txt")) {
            Stream<String> lines = new String(in.readAllBytes(), StandardCharsets.UTF_8).lines();
            return new Language(lines.filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(Banned::of)
                    .toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<String> violations(String file, String content) {
        List<String> violations = new ArrayList<>();
        for (Passage passage : Passage.of(file, content)) {
            checkSummary(file, passage, violations);
            checkPhrases(file, passage, violations);
            checkSentences(file, passage, violations);
        }
        return violations;
    }

    private static void checkSummary(String file, Passage passage, List<String> violations) {
        Matcher summary = SUMMARY.matcher(passage.text());
        if (passage.isJavadoc() && summary.find()) {
            violations.add(file + ":" + passage.line() + ": a summary does not begin with '" + summary.group(1)
                    + "'; begin with a verb or with a noun, so that it is understood alone");
        }
    }

    private void checkPhrases(String file, Passage passage, List<String> violations) {
        for (Banned rule : banned) {
            Matcher matcher = rule.phrase().matcher(passage.text());
            while (matcher.find()) {
                violations.add(file + ":" + passage.lineOf(matcher.start()) + ": '" + matcher.group() + "'; write "
                        + rule.replacement());
            }
        }
    }

    private static void checkSentences(String file, Passage passage, List<String> violations) {
        for (String sentence : SENTENCE_END.split(passage.text(), -1)) {
            long words = WORD.matcher(sentence).results().count();
            if (words > LONGEST_SENTENCE && !sentence.contains("|")) {
                String start = sentence.strip().lines().findFirst().orElse("");
                violations.add(file + ":" + passage.line() + ": a sentence of " + words + " words: '" + start
                        + "…'; make it two");
            }
        }
    }
}
