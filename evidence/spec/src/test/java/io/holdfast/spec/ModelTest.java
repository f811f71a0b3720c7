package io.holdfast.spec;

import static org.assertj.core.api.Assertions.assertThat;

import edu.mit.csail.sdg.alloy4.A4Reporter;
import edu.mit.csail.sdg.ast.Command;
import edu.mit.csail.sdg.parser.CompModule;
import edu.mit.csail.sdg.parser.CompUtil;
import edu.mit.csail.sdg.translator.A4Options;
import edu.mit.csail.sdg.translator.A4Solution;
import edu.mit.csail.sdg.translator.TranslateAlloyToKodkod;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import kodkod.engine.satlab.SATFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs every command of the model: the protocol keeps its promises in all behaviors up to a size, and without any one
 * of its rules some behavior breaks a promise.
 */
@Tag("slow")
@Tag("evidence")
@Tag("nightly")
class ModelTest {

    private static final CompModule MODEL =
            CompUtil.parseEverything_fromFile(A4Reporter.NOP, null, "src/main/alloy/holdfast.als");

    /**
     * Silences the native solver, which writes its progress to the stdout of the process. Java redirects a closed
     * standard stream to {@code /dev/null}. Surefire communicates over another channel here, see the pom.
     */
    @BeforeAll
    static void closeStdout() throws IOException {
        new FileOutputStream(FileDescriptor.out).close();
    }

    static Stream<String> commands() {
        return MODEL.getAllCommands().stream().map(command -> command.label);
    }

    @ParameterizedTest
    @MethodSource("commands")
    void execute_eachCommand_hasTheExpectedResult(String label) {
        Command command = MODEL.getAllCommands().stream()
                .filter(one -> one.label.equals(label))
                .findFirst()
                .orElseThrow();
        A4Options options = new A4Options();
        options.solver = solver();

        A4Solution solution =
                TranslateAlloyToKodkod.execute_command(A4Reporter.NOP, MODEL.getAllReachableSigs(), command, options);

        assertThat(solution.satisfiable() ? 1 : 0).as(solution.toString()).isEqualTo(command.expects);
    }

    /** Checks that for each rule a command shows why it is needed. */
    @Test
    void commands_eachRule_includeOneThatOmitsIt() {
        List<String> rules = MODEL.getAllReachableSigs().stream()
                .map(sig -> sig.label.replace("this/", ""))
                .filter(name -> commands().anyMatch(label -> label.equals("without" + name)))
                .toList();

        assertThat(rules).hasSize((int) MODEL.getAllReachableSigs().stream()
                .filter(sig -> sig.isOne != null && sig.toString().startsWith("this/"))
                .filter(sig ->
                        !List.of("this/Config", "this/Step", "this/Retained").contains(sig.toString()))
                .count());
    }

    /** Returns the native solver if possible, which is several times as fast; the other one runs everywhere. */
    private static SATFactory solver() {
        return SATFactory.getAllSolvers().stream()
                .filter(solver -> solver.id().equals("glucose") && solver.isPresent())
                .findFirst()
                .orElse(SATFactory.DEFAULT);
    }
}
