package io.holdfast.packing;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * One class whose dynamic calls are replaced: lambda expressions by calls of generated classes, and the methods of
 * records by plain code. Serializable lambdas and lambdas with several interfaces remain unchanged, because Java
 * creates them in another way.
 */
final class DynamicCalls extends ClassVisitor {

    private final ClassWriter writer;
    private final Map<String, byte[]> classes = new LinkedHashMap<>();
    private String name = "";
    private String nestHost = "";
    private int version;
    private boolean isChanged;

    private DynamicCalls(ClassWriter writer) {
        super(Opcodes.ASM9, writer);
        this.writer = writer;
    }

    static DynamicCalls of(byte[] original) {
        DynamicCalls calls = new DynamicCalls(new ClassWriter(ClassWriter.COMPUTE_MAXS));
        new ClassReader(original).accept(calls, 0);
        return calls;
    }

    /** Returns whether the class has calls that were replaced. */
    boolean isChanged() {
        return isChanged;
    }

    byte[] rewritten() {
        return writer.toByteArray();
    }

    /** Returns the generated classes by name. */
    Map<String, byte[]> classes() {
        return classes;
    }

    /** Returns the internal name of the nest host. */
    String nestHost() {
        return nestHost;
    }

    @Override
    public void visit(
            int classVersion,
            int mode,
            String className,
            @Nullable String signature,
            @Nullable String superName,
            String @Nullable [] interfaces) {
        name = className;
        nestHost = className;
        version = classVersion;
        super.visit(classVersion, mode, className, signature, superName, interfaces);
    }

    @Override
    public void visitNestHost(String host) {
        nestHost = host;
        super.visitNestHost(host);
    }

    @Override
    public MethodVisitor visitMethod(
            int mode, String method, String descriptor, @Nullable String signature, String @Nullable [] exceptions) {
        return new MethodVisitor(Opcodes.ASM9, super.visitMethod(mode, method, descriptor, signature, exceptions)) {
            @Override
            public void visitInvokeDynamicInsn(String methodName, String site, Handle factory, Object... arguments) {
                if (RecordMethod.isMadeBy(factory)) {
                    isChanged = true;
                    RecordMethod.write(mv, methodName, site, arguments);
                } else if (isLambda(factory)) {
                    isChanged = true;
                    Lambda lambda = lambda(methodName, site, arguments);
                    classes.put(lambda.name(), lambda.toClass(version, nestHost));
                    super.visitMethodInsn(Opcodes.INVOKESTATIC, lambda.name(), Lambda.FACTORY, site, false);
                } else {
                    super.visitInvokeDynamicInsn(methodName, site, factory, arguments);
                }
            }
        };
    }

    private static boolean isLambda(Handle factory) {
        return factory.getOwner().equals("java/lang/invoke/LambdaMetafactory")
                && factory.getName().equals("metafactory");
    }

    /** Creates the lambda from the arguments of {@code LambdaMetafactory.metafactory}. */
    private Lambda lambda(String method, String site, Object[] arguments) {
        return new Lambda(
                name + "$Lambda" + (classes.size() + 1),
                method,
                Type.getMethodType(site),
                (Type) arguments[0],
                (Handle) arguments[1],
                (Type) arguments[2]);
    }
}
