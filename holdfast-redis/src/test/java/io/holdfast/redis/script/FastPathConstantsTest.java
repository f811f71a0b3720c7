package io.holdfast.redis.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.redis.file.ClasspathText;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Tests that the fast paths of the scripts use the numbers of the library. They precede it, so they contain these as
 * literals.
 */
class FastPathConstantsTest {

    private static final Pattern FENCE_MILLIS = Pattern.compile("local FENCE_MILLIS = (\\d+)");
    private static final Pattern FENCE_STORED = Pattern.compile("'SET', KEYS\\[[^]]+], top, 'PX', (\\d+)");
    private static final Pattern SUMMARY_PART = Pattern.compile("string\\.sub\\(summary, ([0-9, ]+)\\)");

    private static Set<String> found(Pattern pattern, String file) {
        return pattern.matcher(ClasspathText.read(Script.class, file))
                .results()
                .map((MatchResult match) -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void fence_storedOnTheFastPath_lastsAsLongAsOnTheOthers() {
        Set<String> millis = found(FENCE_MILLIS, "lib/marker.lua");

        assertThat(millis).containsExactly(Long.toString(ScriptNode.FENCE_TTL.toMillis()));
        for (String script : List.of("acquire.lua", "claim_all.lua")) {
            assertThat(found(FENCE_STORED, script)).as(script).isEqualTo(millis);
        }
    }

    @Test
    void summary_readBySingleClaimsAndByBatches_hasTheSameParts() {
        Set<String> parts = found(SUMMARY_PART, "acquire.lua");

        assertThat(parts).hasSize(4);
        assertThat(found(SUMMARY_PART, "claim_all.lua")).isEqualTo(parts);
    }
}
