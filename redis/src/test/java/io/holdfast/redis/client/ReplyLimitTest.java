package io.holdfast.redis.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplyLimitTest {

    private static final String LINE_OF_LIMIT = "+" + "a".repeat(ReplyLimit.MAX_LINE) + "\r\n";
    private static final String TEXT_OF_LIMIT = "$" + (ReplyLimit.MAX_BYTES - 20) + "\r\n";

    private final ReplyLimit limit = new ReplyLimit();

    private void accept(String text) throws IOException {
        limit.accept(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "+OK\r\n",
                "-ERR unknown\r\n",
                ":-12\r\n",
                "$5\r\nhello\r\n",
                "$0\r\n\r\n",
                "$-1\r\n",
                "*-1\r\n",
                "*0\r\n",
                "_\r\n",
                "#t\r\n",
                ",1.5\r\n",
                "(123\r\n",
                "=5\r\ntxt:a\r\n",
                "!3\r\nERR\r\n",
                "*2\r\n*1\r\n:1\r\n$1\r\na\r\n",
                "%1\r\n+a\r\n*0\r\n",
                ">3\r\n$7\r\nmessage\r\n+a\r\n+b\r\n",
                "~2\r\n:1\r\n:2\r\n"
            })
    void accept_replyOfAServer_isAcceptedAgainAndAgain(String reply) {
        assertThatCode(() -> accept(reply.repeat(1_000))).doesNotThrowAnyException();
    }

    @Test
    void accept_repliesInAnyPieces_areAccepted() throws IOException {
        byte[] bytes = "*2\r\n$5\r\nhello\r\n%1\r\n+a\r\n:1\r\n".repeat(500).getBytes(StandardCharsets.US_ASCII);
        Random random = new Random(1);
        for (int from = 0; from < bytes.length; ) {
            int length = Math.min(bytes.length - from, random.nextInt(20));
            limit.accept(ByteBuffer.wrap(bytes, from, length));
            from += length;
        }
    }

    @Test
    void accept_greatestReplies_areAccepted() throws IOException {
        accept(LINE_OF_LIMIT);
        accept(TEXT_OF_LIMIT);
        accept("a".repeat(ReplyLimit.MAX_BYTES - 20) + "\r\n");
        accept("*" + ReplyLimit.MAX_ELEMENTS + "\r\n" + ":1\r\n".repeat(ReplyLimit.MAX_ELEMENTS));
        accept("*1\r\n".repeat(ReplyLimit.MAX_DEPTH) + ":1\r\n");
        accept("+OK\r\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "$16777217\r\n",
                "$2147483647\r\n",
                "$99999999999\r\n",
                "*1048577\r\n",
                "*2\r\n*1048575\r\n",
                "%524289\r\n",
                ">2147483647\r\n",
                "*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n",
                "$-2\r\n",
                "$--1\r\n",
                "$1-\r\n",
                "$\r\n",
                "$-\r\n",
                "$?\r\n",
                "*1x\r\n",
                "|1\r\n",
                "\r\n",
                "OK\r\n",
                "HTTP/1.1 400 Bad Request\r\n",
                "+a\nb",
                "+a\rb"
            })
    void accept_whatIsNoReply_isRejected(String reply) {
        assertThatThrownBy(() -> accept(reply))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("the server sent");
    }

    @Test
    void accept_endlessLine_isRejected() {
        assertThatThrownBy(() -> accept("-" + "a".repeat(ReplyLimit.MAX_LINE + 1)))
                .hasMessageContaining("endless line");
    }

    @Test
    void accept_listOfLongTexts_isRejectedAtTheLimitOfAll() {
        String text = "$1000000\r\n" + "a".repeat(1_000_000) + "\r\n";
        assertThatThrownBy(() -> accept("*17\r\n" + text.repeat(17))).hasMessageContaining("endless reply");
    }

    /** A client parses all that the limit accepts, so no other exception may end it. */
    @Test
    void accept_anyBytes_endsWithDocumentedOutcomes() {
        Random random = new Random(7);
        String alphabet = "$*%~>+-:_#,(!=|0123456789\r\n\r\n\r\na";
        int accepted = 0;
        for (int i = 0; i < 20_000; i++) {
            StringBuilder bytes = new StringBuilder();
            for (int length = random.nextInt(12); length > 0; length--) {
                bytes.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            try {
                new ReplyLimit().accept(ByteBuffer.wrap(bytes.toString().getBytes(StandardCharsets.US_ASCII)));
                accepted++;
            } catch (IOException rejected) {
                assertThat(rejected).hasMessageStartingWith("the server sent");
            }
        }
        assertThat(accepted).isBetween(100, 15_000);
    }
}
