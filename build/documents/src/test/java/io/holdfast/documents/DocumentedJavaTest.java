package io.holdfast.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every block of Java, in a document or in Javadoc, compiles against the modules that it uses. */
@Tag("slow")
class DocumentedJavaTest {

    static List<CodeBlock> blocks() {
        return Stream.concat(CodeBlock.of("java").stream(), CodeBlock.ofJavadoc().stream())
                .toList();
    }

    @ParameterizedTest
    @MethodSource("blocks")
    void block_java_compiles(CodeBlock block) {
        assertThat(Compilation.errors(JavaBlock.className(block), JavaBlock.source(block)))
                .isEmpty();
    }

    @Test
    void blocks_ofAllDocuments_areFound() {
        assertThat(blocks().stream().map(CodeBlock::document).distinct()).hasSizeGreaterThan(8);
    }

    @Test
    void blocks_ofJavadoc_areFound() {
        assertThat(CodeBlock.ofJavadoc()).hasSizeGreaterThan(4);
        assertThat(CodeBlock.javadoc("A.java", "/**\n * <pre>{@code\n * int a;\n *\n * int b;\n * }</pre>\n */\n"))
                .containsExactly(new CodeBlock("A.java", 2, "java", "int a;\n\nint b;\n"));
    }

    @Test
    void errors_methodThatDoesNotExist_areFound() {
        CodeBlock wrong = new CodeBlock("a.md", 1, "java", "holdfast.lock(\"a\").acquireForever();\n");

        assertThat(Compilation.errors("Example", JavaBlock.source(wrong)))
                .singleElement()
                .asString()
                .contains("acquireForever");
    }
}
