package io.holdfast.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.admin.LockStatus;
import io.holdfast.lease.FencingToken;
import io.holdfast.node.NodeAnswer;
import io.holdfast.node.NodeLockStatus;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LockStateTest {

    private static LockStatus status(String answers) {
        return new LockStatus(
                "x", Stream.of(answers.split("")).map(LockStateTest::answer).toList(), Map.of());
    }

    /** A letter is a holder, a dot a free node, a question mark no answer. */
    private static NodeAnswer<NodeLockStatus> answer(String answer) {
        return answer.equals("?")
                ? NodeAnswer.failed("node", "no answer")
                : NodeAnswer.of(
                        "node",
                        new NodeLockStatus(
                                answer.equals(".") ? "" : answer,
                                0,
                                Duration.ofSeconds(1),
                                new FencingToken(7),
                                List.of(),
                                List.of(),
                                NodeLockStatus.Note.NONE,
                                false));
    }

    @ParameterizedTest
    @CsvSource({
        "aa., HELD",
        "aa?, HELD",
        "..., FREE",
        "..?, FREE",
        "a?., UNKNOWN",
        "a??, UNKNOWN",
        ".??, UNKNOWN",
        "a.., CONTESTED",
        "ab., CONTESTED",
        "ab?, UNKNOWN",
        "a, HELD",
        "?, UNKNOWN",
        "a..?., CONTESTED",
        "aa.?., UNKNOWN"
    })
    void of_answers_isFreeOnlyIfTheMissingOnesCannotChangeThat(String answers, LockState state) {
        assertThat(LockState.of(status(answers))).isEqualTo(state);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "aa.|'x' is held; 1.0 s left unless renewed; 1 of 3 servers does not have it",
                "...|'x' is free",
                "a..|'x' is contended for: no client has a majority",
                "a?.|unknown whether 'x' is held: 2 of 3 servers answer, and 1 has it",
                "??.|unknown whether 'x' is held: only 1 of 3 servers answers"
            })
    void line_answers_saysWhatIsKnown(String answers, String line) {
        assertThat(StatusText.line(status(answers))).isEqualTo(line);
    }

    @ParameterizedTest
    @CsvSource({"aa., true", "..., false", "a?., null"})
    void json_answers_isNullIfUnknown(String answers, String held) {
        assertThat(StatusText.json(status(answers))).startsWith("{\"resource\":\"x\",\"held\":" + held + ",");
    }
}
