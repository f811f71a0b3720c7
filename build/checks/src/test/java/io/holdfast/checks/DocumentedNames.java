package io.holdfast.checks;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The names that documents mention in code type: classes, methods, options, tests. Each has to exist in the sources.
 */
final class DocumentedNames {

    private static final Pattern CODE = Pattern.compile("`([^`\\n]+)`");
    private static final Pattern CODE_BLOCK = Pattern.compile("```[\\s\\S]*?```");
    /** A name with a capital letter inside, as classes and most methods have. An option of Java is none of ours. */
    private static final Pattern NAME = Pattern.compile("(?<!-XX:[+-])\\b[A-Za-z]+[a-z0-9][A-Z][A-Za-z0-9]*\\b");

    private static final Pattern MEMBER = Pattern.compile("\\b([A-Z][a-z]\\w*)[.#]([a-z]\\w*)");
    private static final Pattern OPTION = Pattern.compile("(?<![\\w-])--[a-z][a-z-]+");
    private static final Pattern WORD = Pattern.compile("[A-Za-z_]\\w*");

    private final Set<String> words;
    private final Set<String> options;
    private final Map<String, String> classes;

    private DocumentedNames(Set<String> words, Set<String> options, Map<String, String> classes) {
        this.words = words;
        this.options = options;
        this.classes = classes;
    }

    /**
     * Collects the names of the sources.
     *
     * @param sources the content of each file by its name
     * @param foreign names of other products, which no source of ours contains
     */
    static DocumentedNames of(Map<String, String> sources, Set<String> foreign) {
        Set<String> words = new HashSet<>(foreign);
        Set<String> options = new HashSet<>(foreign);
        sources.forEach((file, content) -> {
            WORD.matcher(content).results().forEach(word -> words.add(word.group()));
            OPTION.matcher(content).results().forEach(option -> options.add(option.group()));
        });
        Map<String, String> classes = sources.entrySet().stream()
                .filter(source -> source.getKey().endsWith(".java"))
                .collect(Collectors.toMap(source -> simpleName(source.getKey()), Map.Entry::getValue, String::concat));
        return new DocumentedNames(words, options, classes);
    }

    private static String simpleName(String file) {
        return file.substring(file.lastIndexOf('/') + 1, file.length() - ".java".length());
    }

    /** Returns the names that comments and messages of a file of Java mention and that do not exist. */
    List<String> missingInProse(String file, String content) {
        return Passage.of(file, content).stream()
                .filter(passage -> !passage.isName())
                .flatMap(passage -> NAME.matcher(passage.text()).results())
                .map(MatchResult::group)
                .filter(name -> !words.contains(name) && !isPlural(name))
                .map(name -> file + ": " + name + " does not exist")
                .toList();
    }

    private boolean isPlural(String name) {
        return name.endsWith("s") && words.contains(name.substring(0, name.length() - 1));
    }

    List<String> missing(String document, String content) {
        List<String> missing = new ArrayList<>();
        Matcher code = CODE.matcher(CODE_BLOCK.matcher(content).replaceAll(""));
        while (code.find()) {
            String mentioned = code.group(1);
            NAME.matcher(mentioned).results().map(name -> name.group()).forEach(name -> {
                if (!words.contains(name)) {
                    missing.add(document + ": `" + name + "` does not exist");
                }
            });
            MEMBER.matcher(mentioned).results().forEach(member -> {
                String source = classes.get(member.group(1));
                if (source != null && !hasWord(source, member.group(2))) {
                    missing.add(document + ": `" + member.group() + "`: the class has no such member");
                }
            });
            OPTION.matcher(mentioned).results().map(option -> option.group()).forEach(option -> {
                if (!options.contains(option)) {
                    missing.add(document + ": the option `" + option + "` does not exist");
                }
            });
        }
        return missing;
    }

    /** A name that ends in an underscore is the beginning of several names. */
    private static boolean hasWord(String source, String word) {
        return Pattern.compile("\\b" + word + (word.endsWith("_") ? "" : "\\b"))
                .matcher(source)
                .find();
    }
}
