package io.holdfast.spring.attribute;

import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.BeanResolver;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.Expression;
import org.springframework.expression.common.CompositeStringExpression;
import org.springframework.expression.common.LiteralExpression;
import org.springframework.expression.common.TemplateParserContext;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/**
 * The template of the names of locks, parsed once for each method, and evaluated for each call. It is one name, unless
 * an expression yields several values. Immutable.
 */
public final class LockName {

    private static final Pattern VARIABLE = Pattern.compile("#\\w+");
    private static final ParameterNameDiscoverer PARAMETERS = new DefaultParameterNameDiscoverer();

    private final Method method;
    private final BeanResolver beans;
    private final List<Expression> parts;

    private LockName(Method method, BeanResolver beans, List<Expression> parts) {
        this.method = method;
        this.beans = beans;
        this.parts = parts;
    }

    /**
     * Parses the template of a method, with the properties replaced.
     *
     * @throws IllegalArgumentException if it is empty, is no valid expression, names a parameter that the method does
     *     not have, or names a parameter outside of an expression
     */
    public static LockName of(String template, Method method, ConfigurableBeanFactory beans) {
        String resolved = withProperties(template, beans);
        if (resolved.isBlank()) {
            throw new IllegalArgumentException("the name '" + template + "' is empty");
        }
        Expression parsed = new SpelExpressionParser().parseExpression(resolved, new TemplateParserContext());
        List<Expression> parts = parsed instanceof CompositeStringExpression composite
                ? List.of(composite.getExpressions())
                : List.of(parsed);
        parts.forEach(part -> requireKnownVariables(part, method));
        requireNoBareVariable(parts, method);
        return new LockName(method, new BeanFactoryResolver(beans), parts);
    }

    /**
     * Returns a text with its properties replaced.
     *
     * @throws IllegalArgumentException if a property is not set
     */
    public static String withProperties(String text, ConfigurableBeanFactory beans) {
        String resolved = String.valueOf(beans.resolveEmbeddedValue(text));
        if (resolved.contains("${")) {
            throw new IllegalArgumentException("a property in '" + text + "' is not set");
        }
        return resolved;
    }

    /**
     * Checks that the method has the parameters that an expression names.
     *
     * @throws IllegalArgumentException if it has not
     */
    static void requireKnownVariables(Expression expression, Method method) {
        Set<String> known = variables(method);
        Stream<String> named = expression instanceof SpelExpression spel ? variables(spel.getAST()) : Stream.empty();
        named.filter(variable -> !known.contains(variable)).findFirst().ifPresent(unknown -> {
            throw new IllegalArgumentException("there is no parameter " + unknown + ", only " + known
                    + " (names of parameters need the compiler's option -parameters)");
        });
    }

    /** In other annotations of Spring, the whole text is an expression. Here all calls would share one lock. */
    private static void requireNoBareVariable(List<Expression> parts, Method method) {
        Set<String> known = variables(method);
        parts.stream()
                .filter(LiteralExpression.class::isInstance)
                .flatMap(part -> VARIABLE.matcher(part.getExpressionString()).results())
                .map(MatchResult::group)
                .filter(known::contains)
                .findFirst()
                .ifPresent(variable -> {
                    throw new IllegalArgumentException("the name contains " + variable
                            + " as text, so that all calls would share one lock; write #{" + variable + "}");
                });
    }

    private static Set<String> variables(Method method) {
        Set<String> known = new HashSet<>(Set.of("#root", "#this"));
        @Nullable String[] names = PARAMETERS.getParameterNames(method);
        for (int i = 0; i < method.getParameterCount(); i++) {
            known.addAll(List.of("#a" + i, "#p" + i));
            // A suspending function of Kotlin has no name for its continuation.
            if (names != null && i < names.length) {
                known.add("#" + names[i]);
            }
        }
        return known;
    }

    private static Stream<String> variables(SpelNode node) {
        Stream<String> below =
                Stream.iterate(0, i -> i < node.getChildCount(), i -> i + 1).flatMap(i -> variables(node.getChild(i)));
        return node instanceof VariableReference ? Stream.concat(Stream.of(node.toStringAST()), below) : below;
    }

    /** Returns the text before the first expression: the whole name, if there is no expression. */
    public String literalStart() {
        return parts.get(0) instanceof LiteralExpression literal ? literal.getExpressionString() : "";
    }

    /** Returns {@code true} if the name is the same for all calls. */
    boolean isLiteral() {
        return parts.size() == 1 && parts.get(0) instanceof LiteralExpression;
    }

    /**
     * Returns the names for a call, in their order, each once: several if an expression yields a collection or an array
     * of objects.
     *
     * @throws IllegalArgumentException if an expression yields nothing, since all calls without a value would share one
     *     lock, or an object without a text of its own, since equal objects would have different locks
     */
    public List<String> evaluate(Object target, @Nullable Object[] arguments) {
        if (isLiteral()) {
            return List.of(literalStart());
        }
        EvaluationContext context = context(method, beans, target, arguments);
        Stream<String> names = Stream.of("");
        for (Expression part : parts) {
            List<String> texts = texts(part, context);
            names = names.flatMap(start -> texts.stream().map(start::concat));
        }
        return names.sorted().distinct().toList();
    }

    /** Returns what an expression may refer to. */
    static EvaluationContext context(Method method, BeanResolver beans, Object target, @Nullable Object[] arguments) {
        MethodBasedEvaluationContext context = new MethodBasedEvaluationContext(target, method, arguments, PARAMETERS);
        context.setBeanResolver(beans);
        return context;
    }

    private List<String> texts(Expression part, EvaluationContext context) {
        if (part instanceof LiteralExpression literal) {
            return List.of(literal.getExpressionString());
        }
        Object value = evaluated(part, context);
        List<String> texts =
                LockNameValue.elements(value).map(each -> text(part, each)).toList();
        if (texts.isEmpty() || texts.stream().anyMatch(String::isBlank)) {
            throw noName(
                    part, value == null ? "null" : "empty", "call the method with a value, or change the expression");
        }
        return texts;
    }

    private @Nullable Object evaluated(Expression part, EvaluationContext context) {
        try {
            return part.getValue(context);
        } catch (EvaluationException e) {
            IllegalArgumentException failure = noName(
                    part,
                    "not defined (" + e.getMessage() + ")",
                    "call the method with a value, or change the expression");
            failure.initCause(e);
            throw failure;
        }
    }

    private String text(Expression part, @Nullable Object value) {
        try {
            return value == null ? "" : LockNameValue.text(value);
        } catch (IllegalArgumentException e) {
            throw noName(part, String.valueOf(e.getMessage()), "name a property, such as its id, or override toString");
        }
    }

    private IllegalArgumentException noName(Expression part, String reason, String remedy) {
        return new IllegalArgumentException(
                "The lock of " + method.getDeclaringClass().getSimpleName() + "." + method.getName()
                        + " has no name: #{" + part.getExpressionString() + "} is " + reason + "; " + remedy);
    }
}
