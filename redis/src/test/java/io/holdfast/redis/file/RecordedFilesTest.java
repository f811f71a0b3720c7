package io.holdfast.redis.file;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RecordedFilesTest {

    private static final String TEXT = "\0a/b\0one\ntwo\0c\0\0";

    @Test
    void find_recordedFile_returnsItsContent() {
        assertThat(RecordedFiles.find("a/b", TEXT)).hasValue("one\ntwo");
        assertThat(RecordedFiles.find("c", TEXT)).hasValue("");
    }

    @Test
    void find_otherFile_isEmpty() {
        assertThat(RecordedFiles.find("b", TEXT)).isEmpty();
        assertThat(RecordedFiles.find("a/b", "")).isEmpty();
        assertThat(RecordedFiles.find("a/b")).isEmpty();
    }
}
