package io.holdfast.packing;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** One class whose static fields become constants, so that it needs no static initializer. */
final class ConstantFields extends ClassVisitor {

    private static final String TEXT = "Ljava/lang/String;";

    private final Map<String, String> values;
    private final Set<String> missing;

    private ConstantFields(ClassWriter writer, Map<String, String> values) {
        super(Opcodes.ASM9, writer);
        this.values = values;
        this.missing = new HashSet<>(values.keySet());
    }

    /**
     * Returns the class with these values of its fields.
     *
     * @throws IllegalStateException if the class has another static field that only its initializer sets, or lacks one
     */
    static byte[] set(byte[] original, Map<String, String> values) {
        ClassWriter writer = new ClassWriter(0);
        ConstantFields fields = new ConstantFields(writer, values);
        new ClassReader(original).accept(fields, 0);
        if (!fields.missing.isEmpty()) {
            throw new IllegalStateException("The class has no fields " + fields.missing);
        }
        return writer.toByteArray();
    }

    @Override
    public FieldVisitor visitField(
            int access, String name, String descriptor, String signature, @Nullable Object value) {
        boolean needsInitializer = (access & Opcodes.ACC_STATIC) != 0 && value == null;
        if (needsInitializer && (!descriptor.equals(TEXT) || !values.containsKey(name))) {
            throw new IllegalStateException("The static field " + name + " would lose its value");
        }
        missing.remove(name);
        return super.visitField(access, name, descriptor, signature, needsInitializer ? values.get(name) : value);
    }

    @Override
    public @Nullable MethodVisitor visitMethod(
            int access, String name, String descriptor, String signature, String[] exceptions) {
        return name.equals("<clinit>") ? null : super.visitMethod(access, name, descriptor, signature, exceptions);
    }
}
