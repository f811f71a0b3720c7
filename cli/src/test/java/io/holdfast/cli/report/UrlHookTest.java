package io.holdfast.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class UrlHookTest {

    /** Java limits the time of each packet only, so a monitor that sends them slowly would delay the run for ever. */
    @Test
    void execute_noCompleteReplyWithinTheLimit_fails() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            UrlHook hook = new UrlHook("http://127.0.0.1:" + silent.getLocalPort() + "/ping", Duration.ofMillis(50));

            String failure = hook.execute(CommandReport.started("lock", "", Duration.ZERO));

            assertThat(failure).isEqualTo("127.0.0.1: no complete reply within 0 s");
        }
    }
}
