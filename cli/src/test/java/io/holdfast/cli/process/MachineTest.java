package io.holdfast.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.node.Diagnosis;
import io.holdfast.node.Diagnosis.Finding;
import org.junit.jupiter.api.Test;

class MachineTest {

    private static final Machine COMPLETE = new Machine("17.0.1", "dash", true, true, true, true, "/lib", false);

    @Test
    void diagnosis_completeMachine_hasNoFindings() {
        Diagnosis diagnosis = COMPLETE.diagnosis();

        assertThat(diagnosis.findings()).isEmpty();
        assertThat(diagnosis.facts()).containsEntry("java", "17.0.1").containsEntry("shell", "dash");
    }

    @Test
    void diagnosis_bareMachine_saysWhatEachLackCosts() {
        Machine bare = new Machine("17.0.1", "busybox", false, false, false, false, "/lib", false);

        assertThat(bare.diagnosis().findings())
                .extracting(Finding::severity)
                .containsExactly(
                        Finding.Severity.ERROR,
                        Finding.Severity.WARNING,
                        Finding.Severity.WARNING,
                        Finding.Severity.NOTE);
        assertThat(bare.diagnosis().findings().toString())
                .contains("/proc is not mounted", "no setsid", "no session of its own")
                .contains("ignores INT and QUIT", "each start takes about twice as long", "who may write to /lib");
    }

    /** Bash gives a command the default reaction to signals. */
    @Test
    void diagnosis_bash_needsNoOptionOfEnv() {
        Machine bash = new Machine("17.0.1", "bash", true, false, true, true, "/lib", false);

        assertThat(bash.diagnosis().findings()).isEmpty();
    }

    @Test
    void diagnosis_writableLibrary_needsNoAction() {
        Machine first = new Machine("17.0.1", "dash", true, true, true, false, "/lib", true);

        assertThat(first.diagnosis().findings())
                .singleElement()
                .satisfies(finding -> assertThat(finding.remedy()).startsWith("none"));
    }
}
