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
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs every command of the models: the protocol keeps its promises in all behaviors up to a size, and without any one
 * of its rules some behavior breaks a promise.
 */
@Tag("slow")
@Tag("evidence")
@Tag("nightly")
class ModelTest {

    /** Of one set of nodes, of the change from one set to another, and of what nodes forget and miss in it. */
    private static final List<String> MODELS = List.of("holdfast", "change", "agreement");

    /** Sigs that are one, and no rule. */
    private static final List<String> NO_RULES = List.of("this/Config", "this/Step", "this/Retained");

    /**
     * Silences the native solver, which writes its progress to the stdout of the process. Java redirects a closed
     * standard stream to {@code /dev/null}. Surefire communicates over another channel here, see the pom.
     */
    @BeforeAll
    static void closeStdout() throws IOException {
        new FileOutputStream(FileDescriptor.out).close();
    }

    private static CompModule model(String name) {
        return CompUtil.parseEverything_fromFile(A4Reporter.NOP, null, "src/main/alloy/" + name + ".als");
    }

    static Stream<Arguments> commands() {
        return MODELS.stream().flatMap(name -> labels(model(name)).map(label -> Arguments.of(name, label)));
    }

    private static Stream<String> labels(CompModule model) {
        return model.getAllCommands().stream().map(command -> command.label);
    }

    @ParameterizedTest
    @MethodSource("commands")
    void execute_eachCommand_hasTheExpectedResult(String name, String label) {
        CompModule model = model(name);
        Command command = model.getAllCommands().stream()
                .filter(one -> one.label.equals(label))
                .findFirst()
                .orElseThrow();
        A4Options options = new A4Options();
        options.solver = solver();

        A4Solution solution =
                TranslateAlloyToKodkod.execute_command(A4Reporter.NOP, model.getAllReachableSigs(), command, options);

        assertThat(solution.satisfiable() ? 1 : 0).as(solution.toString()).isEqualTo(command.expects);
    }

    /** Checks that for each rule a command shows why it is needed. */
    @Test
    void commands_eachRule_includeOneThatOmitsIt() {
        for (String name : MODELS) {
            CompModule model = model(name);
            List<String> rules = model.getAllReachableSigs().stream()
                    .filter(sig -> sig.isOne != null && sig.label.startsWith("this/"))
                    .filter(sig -> !NO_RULES.contains(sig.label))
                    .map(sig -> "without" + sig.label.replace("this/", ""))
                    .toList();

            assertThat(rules).isNotEmpty().allMatch(labels(model).toList()::contains);
        }
    }

    /** Returns the native solver if possible, which is several times as fast; the other one runs everywhere. */
    private static SATFactory solver() {
        return SATFactory.getAllSolvers().stream()
                .filter(solver -> solver.id().equals("glucose") && solver.isPresent())
                .findFirst()
                .orElse(SATFactory.DEFAULT);
    }
}
