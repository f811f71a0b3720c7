package io.holdfast.documents;

import java.util.Map;

/** The blocks that are no code, each with the reason. */
final class UntestedBlocks {

    /** By document and first line. */
    static final Map<String, String> REASONS = Map.of(
            "docs/ARCHITECTURE.md locks",
            "a picture of the packages; ArchitectureTest has the arrows",
            "docs/command.md 2026-11-22",
            "output of the command; HistoryTest has the lines",
            "docs/jobs.md 'nightly-backup'",
            "output of the command; JobsTest has the lines",
            "docs/protocol.md EVAL",
            "a command of Redis; PublishedScriptsTest has the scripts",
            "docs/waiting.md A",
            "a picture of a hand-over; HandOverCostTest counts the messages",
            "docs/waiting.md warning:",
            "output of the command; AdminTest has the line",
            "packaging/README.md FROM",
            "an image; PackagedExamplesTest parses its command");

    private UntestedBlocks() {}

    /** Returns the document and the first word of the block. */
    static String key(CodeBlock block) {
        return block.document() + " " + block.firstLine().split(" ", 2)[0];
    }
}
