package io.holdfast.checks;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A piece of prose in a file: a comment, a string, or a document without its code.
 *
 * @param line where it begins, counted from 1
 * @param text its text, without the marks of a comment
 * @param isJavadoc whether it is documentation, whose first sentence is read alone
 */
record Passage(int line, String text, boolean isJavadoc) {

    private static final Pattern JAVA = Pattern.compile(
            "/\\*[\\s\\S]*?\\*/|//[^\\n]*(?:\\n\\s*//[^\\n]*)*|\"\"\"[\\s\\S]*?\"\"\"|\"(?:\\\\.|[^\"\\\\\\n])*\""
                    + "|'(?:\\\\.|[^'\\\\\\n])*'");
    private static final Pattern LUA = Pattern.compile("--[^\\n]*(?:\\n--[^\\n]*)*");
    private static final Pattern CODE_BLOCK = Pattern.compile("```[\\s\\S]*?```");
    private static final Pattern INLINE_TAG = Pattern.compile("\\{@\\w+\\s+([^}]*)}");
    private static final Pattern COMMENT_MARK = Pattern.compile("^\\s*(?:/\\*\\*?|//|\\*/?|--)\\s?", Pattern.MULTILINE);

    static List<Passage> of(String file, String content) {
        if (file.endsWith(".java") || file.endsWith(".kt")) {
            return found(JAVA, content);
        } else if (file.endsWith(".lua")) {
            return found(LUA, content);
        }
        String prose = CODE_BLOCK
                .matcher(content)
                .replaceAll(block -> "\n".repeat((int) block.group().lines().count() - 1));
        return List.of(new Passage(1, prose, false));
    }

    /** Returns the content of a file of Java without its prose. A string without a space is no prose, but a name. */
    static String code(String file, String content) {
        return file.endsWith(".java")
                ? JAVA.matcher(content)
                        .replaceAll(found -> isName(found.group()) ? Matcher.quoteReplacement(found.group()) : " ")
                : content;
    }

    /** Returns {@code true} if this is a string that is a name, and not a message. */
    boolean isName() {
        return isName(text);
    }

    private static boolean isName(String raw) {
        return raw.startsWith("\"") && !raw.contains(" ");
    }

    private static List<Passage> found(Pattern pattern, String content) {
        List<Passage> passages = new ArrayList<>();
        Matcher matcher = pattern.matcher(content);
        int line = 1;
        int counted = 0;
        while (matcher.find()) {
            String raw = matcher.group();
            line += lineBreaks(content, counted, matcher.start());
            counted = matcher.start();
            boolean documents = raw.startsWith("/**");
            String text = COMMENT_MARK.matcher(raw.replace("*/", "")).replaceAll("");
            passages.add(new Passage(line, INLINE_TAG.matcher(text).replaceAll("$1"), documents));
        }
        return passages;
    }

    int lineOf(int offset) {
        return line + lineBreaks(text, 0, offset);
    }

    private static int lineBreaks(String content, int from, int to) {
        int count = 0;
        for (int at = content.indexOf('\n', from); at >= 0 && at < to; at = content.indexOf('\n', at + 1)) {
            count++;
        }
        return count;
    }
}
