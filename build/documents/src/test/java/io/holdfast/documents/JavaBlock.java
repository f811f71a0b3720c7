package io.holdfast.documents;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Makes a class of a block of Java: it may contain classes, members of a class, or statements. */
final class JavaBlock {

    private static final Pattern TYPE = Pattern.compile("^(?:public )?(?:final )?class (\\w+)", Pattern.MULTILINE);
    /** A method or a field has an annotation; a statement of the examples has none. */
    private static final Pattern MEMBER = Pattern.compile("\\A@");

    private static final List<String> IMPORTS = List.of(
            "io.holdfast.*",
            "io.holdfast.console.*",
            "io.holdfast.documents.Shop.Sale",
            "io.holdfast.event.*",
            "io.holdfast.jobs.*",
            "io.holdfast.lease.*",
            "io.holdfast.locks.*",
            "io.holdfast.micrometer.*",
            "io.holdfast.node.memory.*",
            "io.holdfast.reactor.*",
            "io.holdfast.record.*",
            "io.holdfast.security.*",
            "io.holdfast.shedlock.*",
            "io.holdfast.spring.*",
            "io.holdfast.spring.integration.*",
            "io.holdfast.spring.leader.*",
            "io.holdfast.test.*",
            "io.holdfast.time.*",
            "io.micrometer.core.instrument.*",
            "io.micrometer.observation.*",
            "io.micrometer.prometheusmetrics.*",
            "java.time.*",
            "java.util.*",
            "java.util.concurrent.*",
            "java.util.concurrent.locks.*",
            "org.junit.jupiter.api.Test",
            "org.junit.jupiter.api.extension.RegisterExtension",
            "org.springframework.beans.factory.annotation.Autowired",
            "org.springframework.boot.test.context.SpringBootTest",
            "org.springframework.context.ApplicationEventPublisher",
            "org.springframework.beans.factory.annotation.Qualifier",
            "org.springframework.context.annotation.Bean",
            "org.springframework.context.annotation.Primary",
            "org.springframework.context.annotation.Configuration",
            "org.springframework.http.*",
            "org.springframework.scheduling.annotation.Scheduled",
            "org.springframework.stereotype.Service",
            "org.springframework.transaction.annotation.Transactional",
            "org.springframework.web.bind.annotation.*",
            "reactor.core.publisher.*",
            "static org.assertj.core.api.Assertions.assertThat");

    /** A page that says so uses another type of the same name. */
    private static final Map<String, List<String>> IMPORTS_OF_PAGES = Map.of(
            "docs/from-spring-integration.md",
            List.of(
                    "org.springframework.integration.support.locks.DistributedLock",
                    "org.springframework.integration.support.locks.LockRegistry"));

    private JavaBlock() {}

    /** Returns the name of the class that {@link #source} defines. */
    static String className(CodeBlock block) {
        Matcher type = TYPE.matcher(block.text());
        return type.find() ? type.group(1) : "Example";
    }

    /** Returns the source of a class. A body {@code ...} is empty there. */
    static String source(CodeBlock block) {
        StringBuilder source = new StringBuilder("package io.holdfast.documents; ");
        IMPORTS.forEach(name -> source.append("import ").append(name).append("; "));
        IMPORTS_OF_PAGES
                .getOrDefault(block.document(), List.of())
                .forEach(name -> source.append("import ").append(name).append("; "));
        String text = block.text().replace("{ ... }", "{}");
        if (TYPE.matcher(text).find()) {
            return source.append(text).toString();
        }
        source.append("class Example extends Surroundings { ");
        if (MEMBER.matcher(text).find()) {
            return source.append(text).append("}").toString();
        }
        return source.append("void run() throws Exception { ")
                .append(text)
                .append("}}")
                .toString();
    }
}
