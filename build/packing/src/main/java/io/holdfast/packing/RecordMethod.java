package io.holdfast.packing;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.GeneratorAdapter;
import org.objectweb.asm.commons.Method;

/**
 * The code of {@code equals}, {@code hashCode} or {@code toString} of a record, with the results that
 * {@code java.lang.runtime.ObjectMethods} specifies. That class generates dozens of others at the first call of such a
 * method.
 */
final class RecordMethod {

    private static final String FACTORY = "java/lang/runtime/ObjectMethods";
    private static final int FACTOR = 31;
    private static final Type OBJECT = Type.getType(Object.class);
    private static final Type OBJECTS = Type.getType(Objects.class);
    private static final Type STRING = Type.getType(String.class);
    private static final Type BUILDER = Type.getType(StringBuilder.class);
    private static final Method EQUALS = Method.getMethod("boolean equals (Object, Object)");
    private static final Method HASH_CODE = Method.getMethod("int hashCode (Object)");

    private final Type owner;
    private final List<Handle> fields;
    private final MethodVisitor visitor;
    private final GeneratorAdapter code;

    private RecordMethod(Type owner, List<Handle> fields, MethodVisitor visitor, GeneratorAdapter code) {
        this.owner = owner;
        this.fields = fields;
        this.visitor = visitor;
        this.code = code;
    }

    /** Returns whether a dynamic call of this factory is the body of such a method. */
    static boolean isMadeBy(Handle factory) {
        return factory.getOwner().equals(FACTORY);
    }

    /**
     * Writes the code in place of the dynamic call.
     *
     * @param name the name of the method
     * @param site the type of the call, whose first argument is the record
     * @param arguments the record's class, its component names, and a handle for each field
     */
    static void write(MethodVisitor visitor, String name, String site, Object[] arguments) {
        Type owner = (Type) arguments[0];
        List<Handle> fields = new ArrayList<>();
        for (int i = 2; i < arguments.length; i++) {
            fields.add((Handle) arguments[i]);
        }
        Type[] passed = Type.getArgumentTypes(site);
        Type result = Type.getReturnType(site);
        Type[] declared = passed.length == 1 ? new Type[0] : new Type[] {OBJECT};
        Method method = new Method(name, result, declared);
        GeneratorAdapter code = new GeneratorAdapter(Opcodes.ACC_PUBLIC, method, visitor);
        // The arguments of the call are those of the method.
        for (int i = passed.length; i > 0; i--) {
            code.pop();
        }
        RecordMethod body = new RecordMethod(owner, fields, visitor, code);
        switch (name) {
            case "equals" -> body.writeEquals();
            case "hashCode" -> body.writeHashCode();
            default -> body.writeToString();
        }
    }

    private void writeEquals() {
        Label differs = new Label();
        code.loadArg(0);
        code.instanceOf(owner);
        code.ifZCmp(GeneratorAdapter.EQ, differs);
        for (Handle field : fields) {
            Type type = Type.getType(field.getDesc());
            load(field);
            code.loadArg(0);
            code.checkCast(owner);
            code.getField(owner, field.getName(), type);
            if (Lambda.isPrimitive(type)) {
                Type box = box(type);
                code.invokeStatic(box, new Method("compare", Type.INT_TYPE, new Type[] {type, type}));
                code.ifZCmp(GeneratorAdapter.NE, differs);
            } else {
                code.invokeStatic(OBJECTS, EQUALS);
                code.ifZCmp(GeneratorAdapter.EQ, differs);
            }
        }
        code.push(true);
        code.returnValue();
        code.mark(differs);
        // The adapter accepts no compressed frames.
        visitor.visitFrame(Opcodes.F_SAME, 0, null, 0, null);
        code.push(false);
    }

    private void writeHashCode() {
        code.push(0);
        for (Handle field : fields) {
            Type type = Type.getType(field.getDesc());
            code.push(FACTOR);
            code.math(GeneratorAdapter.MUL, Type.INT_TYPE);
            load(field);
            if (Lambda.isPrimitive(type)) {
                code.invokeStatic(box(type), new Method("hashCode", Type.INT_TYPE, new Type[] {type}));
            } else {
                code.invokeStatic(OBJECTS, HASH_CODE);
            }
            code.math(GeneratorAdapter.ADD, Type.INT_TYPE);
        }
    }

    private void writeToString() {
        code.newInstance(BUILDER);
        code.dup();
        code.invokeConstructor(BUILDER, Method.getMethod("void <init> ()"));
        String simpleName = owner.getInternalName().replaceFirst("^.*[/$]", "");
        String separator = simpleName + "[";
        for (Handle field : fields) {
            append(separator + field.getName() + "=");
            load(field);
            Type type = Type.getType(field.getDesc());
            code.invokeStatic(STRING, new Method("valueOf", STRING, new Type[] {printed(type)}));
            code.invokeVirtual(BUILDER, new Method("append", BUILDER, new Type[] {STRING}));
            separator = ", ";
        }
        append(fields.isEmpty() ? separator + "]" : "]");
        code.invokeVirtual(BUILDER, Method.getMethod("String toString ()"));
    }

    private void append(String text) {
        code.push(text);
        code.invokeVirtual(BUILDER, new Method("append", BUILDER, new Type[] {STRING}));
    }

    private void load(Handle field) {
        code.loadThis();
        code.getField(owner, field.getName(), Type.getType(field.getDesc()));
    }

    /** Returns the type for which {@code String.valueOf} has a variant. */
    private static Type printed(Type type) {
        return switch (type.getSort()) {
            case Type.BYTE, Type.SHORT -> Type.INT_TYPE;
            case Type.ARRAY, Type.OBJECT -> OBJECT;
            default -> type;
        };
    }

    private static Type box(Type type) {
        return Type.getType(
                switch (type.getSort()) {
                    case Type.BOOLEAN -> Boolean.class;
                    case Type.CHAR -> Character.class;
                    case Type.BYTE -> Byte.class;
                    case Type.SHORT -> Short.class;
                    case Type.INT -> Integer.class;
                    case Type.LONG -> Long.class;
                    case Type.FLOAT -> Float.class;
                    default -> Double.class;
                });
    }
}
