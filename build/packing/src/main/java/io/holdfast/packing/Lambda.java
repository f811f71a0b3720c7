package io.holdfast.packing;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.GeneratorAdapter;
import org.objectweb.asm.commons.Method;

/**
 * A lambda expression or method reference, which becomes a class. Its single method calls the target with the captured
 * values and its own arguments.
 *
 * @param name the internal name of the new class
 * @param method the name of the interface's method
 * @param site the types of the captured values, and the interface as the return type
 * @param declared the erased type of the interface's method
 * @param target the called method or constructor
 * @param exact the type of the interface's method with its type arguments
 */
record Lambda(String name, String method, Type site, Type declared, Handle target, Type exact) {

    /** The name of the static factory method, whose arguments are the captured values. */
    static final String FACTORY = "of";

    private static final String INSTANCE = "INSTANCE";
    private static final Method INITIALIZER = Method.getMethod("void <clinit> ()");
    private static final Method OBJECT_CONSTRUCTOR = Method.getMethod("void <init> ()");
    private static final Type OBJECT = Type.getType(Object.class);
    private static final Type CHARACTER = Type.getType(Character.class);

    /** Returns the class as a member of the nest, so that it may call private methods of the nest. */
    byte[] toClass(int version, String nestHost) {
        ClassWriter type = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        type.visit(
                version, Opcodes.ACC_FINAL | Opcodes.ACC_SYNTHETIC, name, null, OBJECT.getInternalName(), new String[] {
                    site.getReturnType().getInternalName()
                });
        type.visitNestHost(nestHost);
        writeConstructor(type);
        writeFactory(type);
        writeMethod(type);
        type.visitEnd();
        return type.toByteArray();
    }

    private Type self() {
        return Type.getObjectType(name);
    }

    private Method constructor() {
        return new Method("<init>", Type.VOID_TYPE, site.getArgumentTypes());
    }

    private static String field(int captured) {
        return "captured" + captured;
    }

    private void writeConstructor(ClassWriter type) {
        Type[] captured = site.getArgumentTypes();
        GeneratorAdapter code = new GeneratorAdapter(Opcodes.ACC_PRIVATE, constructor(), null, null, type);
        code.loadThis();
        code.invokeConstructor(OBJECT, OBJECT_CONSTRUCTOR);
        for (int i = 0; i < captured.length; i++) {
            type.visitField(Opcodes.ACC_PRIVATE | Opcodes.ACC_FINAL, field(i), captured[i].getDescriptor(), null, null);
            code.loadThis();
            code.loadArg(i);
            code.putField(self(), field(i), captured[i]);
        }
        code.returnValue();
        code.endMethod();
    }

    private void writeFactory(ClassWriter type) {
        GeneratorAdapter code =
                new GeneratorAdapter(Opcodes.ACC_STATIC, new Method(FACTORY, site.getDescriptor()), null, null, type);
        if (site.getArgumentTypes().length == 0) {
            writeInstance(type);
            code.getStatic(self(), INSTANCE, self());
        } else {
            create(code);
        }
        code.returnValue();
        code.endMethod();
    }

    /** Writes a single instance, which is sufficient without captured values. */
    private void writeInstance(ClassWriter type) {
        int mode = Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_FINAL;
        type.visitField(mode, INSTANCE, self().getDescriptor(), null, null);
        GeneratorAdapter code = new GeneratorAdapter(Opcodes.ACC_STATIC, INITIALIZER, null, null, type);
        create(code);
        code.putStatic(self(), INSTANCE, self());
        code.returnValue();
        code.endMethod();
    }

    private void create(GeneratorAdapter code) {
        code.newInstance(self());
        code.dup();
        code.loadArgs();
        code.invokeConstructor(self(), constructor());
    }

    private void writeMethod(ClassWriter type) {
        Type owner = Type.getObjectType(target.getOwner());
        boolean isConstructor = target.getTag() == Opcodes.H_NEWINVOKESPECIAL;
        GeneratorAdapter code = new GeneratorAdapter(
                Opcodes.ACC_PUBLIC, new Method(method, declared.getDescriptor()), null, null, type);
        if (isConstructor) {
            code.newInstance(owner);
            code.dup();
        }
        loadArguments(code);
        code.visitMethodInsn(opcode(), target.getOwner(), target.getName(), target.getDesc(), target.isInterface());
        Type result = isConstructor ? owner : Type.getReturnType(target.getDesc());
        convert(code, result, result, declared.getReturnType());
        code.returnValue();
        code.endMethod();
    }

    private void loadArguments(GeneratorAdapter code) {
        Type[] captured = site.getArgumentTypes();
        Type[] passed = declared.getArgumentTypes();
        List<Type> expected = targetTypes();
        for (int i = 0; i < captured.length; i++) {
            code.loadThis();
            code.getField(self(), field(i), captured[i]);
        }
        for (int i = 0; i < passed.length; i++) {
            code.loadArg(i);
            convert(code, passed[i], exact.getArgumentTypes()[i], expected.get(captured.length + i));
        }
    }

    /** Returns the argument types of the target; for an instance method, the first one is the type of the instance. */
    private List<Type> targetTypes() {
        List<Type> types = new ArrayList<>(List.of(Type.getArgumentTypes(target.getDesc())));
        if (target.getTag() != Opcodes.H_INVOKESTATIC && target.getTag() != Opcodes.H_NEWINVOKESPECIAL) {
            types.add(0, Type.getObjectType(target.getOwner()));
        }
        return types;
    }

    /** Returns the opcode of the call. Within a nest, private methods need no special opcode. */
    private int opcode() {
        return switch (target.getTag()) {
            case Opcodes.H_INVOKESTATIC -> Opcodes.INVOKESTATIC;
            case Opcodes.H_NEWINVOKESPECIAL -> Opcodes.INVOKESPECIAL;
            default -> target.isInterface() ? Opcodes.INVOKEINTERFACE : Opcodes.INVOKEVIRTUAL;
        };
    }

    /** Converts a value like {@code LambdaMetafactory}: boxing, unboxing, widening, and casts to a type argument. */
    private static void convert(GeneratorAdapter code, Type from, Type exactly, Type to) {
        if (to.equals(Type.VOID_TYPE)) {
            // A value that remains on the stack is discarded at the end of the method.
            return;
        }
        if (isPrimitive(from)) {
            if (isPrimitive(to)) {
                code.cast(from, to);
            } else {
                code.valueOf(from);
            }
        } else if (!isPrimitive(to)) {
            code.checkCast(to);
        } else if (exactly.equals(CHARACTER)) {
            code.unbox(Type.CHAR_TYPE);
            code.cast(Type.CHAR_TYPE, to);
        } else {
            code.unbox(to);
        }
    }

    static boolean isPrimitive(Type type) {
        return type.getSort() < Type.ARRAY;
    }
}
