package io.holdfast.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** The picture of the README is that of the run that is stored beside it. */
class DemoPictureTest {

    @Test
    void draw_storedRun_isThePictureOfTheReadme() {
        String run = CodeBlock.read("docs/pictures/demo.json");

        assertThat(CodeBlock.read("docs/pictures/demo.svg")).isEqualTo(DemoPicture.draw(run));
        assertThat(run).contains("\"killed\"", "\"lost\"", "never by two at a time");
        assertThat(CodeBlock.read("README.md")).contains("(docs/pictures/demo.svg)");
    }

    @Test
    void draw_twoHoldersAtATime_isRefused() {
        String run = event("A", "holds") + event("B", "holds");

        assertThatThrownBy(() -> DemoPicture.draw(run)).hasMessageContaining("worker A and worker B hold the lock");
    }

    private static String event(String worker, String change) {
        return "{\"millis\":1,\"subject\":\"worker " + worker + "\",\"change\":\"" + change + "\",\"text\":\"\"}\n";
    }
}
