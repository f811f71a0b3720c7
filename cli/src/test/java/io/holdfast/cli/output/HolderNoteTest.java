package io.holdfast.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

class HolderNoteTest {

    private static final ZoneId ZONE = ZoneId.of("Europe/Zurich");
    private static final Instant NOW = Instant.parse("2026-11-22T10:00:00Z");
    private static final String NOTE = "root@web3, pid 4066 (backup.sh) since ";

    @Test
    void readable_sinceToday_showsTheTimeOfTheReader() {
        assertThat(HolderNote.readable(NOTE + "2026-11-22T02:08:21Z", NOW, ZONE))
                .isEqualTo(NOTE + "03:08:21");
    }

    @Test
    void readable_sinceAnEarlierDay_showsTheDate() {
        assertThat(HolderNote.readable(NOTE + "2026-11-21T22:08:21Z", NOW, ZONE))
                .isEqualTo(NOTE + "2026-11-21 23:08:21");
    }

    @Test
    void readable_noteOfAnotherProgram_isUnchangedWithoutControlCharacters() {
        assertThat(HolderNote.readable(NOTE + "2026-99-99T99:99:99Z", NOW, ZONE))
                .isEqualTo(NOTE + "2026-99-99T99:99:99Z");
        assertThat(HolderNote.readable("job 7 \u001b[2J$1", NOW, ZONE)).isEqualTo("job 7  [2J$1");
    }

    @Test
    void of_command_describesThisProcess() {
        assertThat(HolderNote.of("a".repeat(100), 4066)).contains(", pid 4066 (" + "a".repeat(60) + "...) since 2");
    }
}
