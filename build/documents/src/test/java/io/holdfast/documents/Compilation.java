package io.holdfast.documents;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles a class against the class path of the tests. */
final class Compilation {

    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

    /** Opens the class path once. */
    private static final StandardJavaFileManager FILES = COMPILER.getStandardFileManager(null, null, null);

    private Compilation() {}

    /** Returns the errors, and writes nothing. */
    static List<String> errors(String className, String source) {
        return compile(className, source, "target", "-XDshould-stop.ifNoError=FLOW");
    }

    /** Writes the classes into a directory. Returns the errors. */
    static List<String> write(String className, String source, Path directory) {
        return compile(className, source, directory.toString(), "-g");
    }

    private static List<String> compile(String className, String source, String directory, String option) {
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        List<String> options = List.of("-proc:none", "-implicit:none", "-d", directory, "-Xlint:none", option);
        COMPILER.getTask(null, FILES, found, options, null, List.of(new Source(className, source)))
                .call();
        return found.getDiagnostics().stream()
                .filter(one -> one.getKind() == Diagnostic.Kind.ERROR)
                .map(one -> one.getMessage(Locale.ENGLISH))
                .toList();
    }

    private static final class Source extends SimpleJavaFileObject {

        private final String text;

        Source(String className, String text) {
            super(URI.create("string:///" + className + ".java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
