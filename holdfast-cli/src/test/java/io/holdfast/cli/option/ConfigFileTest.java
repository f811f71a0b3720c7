package io.holdfast.cli.option;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.syntax.CommandOption;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("process")
class ConfigFileTest {

    /** The manual page of the file describes these options. */
    @Test
    void keys_ofTheFile_areTheOptionsWithAValue() {
        assertThat(NodesOptions.FILE_OPTIONS)
                .extracting(CommandOption::key)
                .containsExactlyInAnyOrderElementsOf(ConfigFile.KEYS);
        assertThat(NodesOptions.OPTIONS.stream().filter(CommandOption::hasValue))
                .containsExactlyElementsOf(NodesOptions.FILE_OPTIONS);
    }
}
