package io.ratelimit.benchmarks;

import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Lets a method report its instructions as it executes them: before each place where control may go elsewhere or come from
 * elsewhere, those in a row before it. What an exception cuts short is not reported.
 */
final class CountedMethod extends MethodVisitor {

    private static final String COUNTER = Type.getInternalName(ExecutedBytecodes.class);

    private int inARow;

    CountedMethod(MethodVisitor written) {
        super(Opcodes.ASM9, written);
    }

    private void report() {
        if (inARow > 0) {
            mv.visitLdcInsn(inARow);
            mv.visitMethodInsn(Opcodes.INVOKESTATIC, COUNTER, "add", "(I)V", false);
            inARow = 0;
        }
    }

    @Override
    public void visitLabel(Label label) {
        report();
        super.visitLabel(label);
    }

    @Override
    public void visitInsn(int opcode) {
        inARow++;
        if (opcode == Opcodes.ATHROW || opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
            report();
        }
        super.visitInsn(opcode);
    }

    @Override
    public void visitJumpInsn(int opcode, Label label) {
        inARow++;
        report();
        super.visitJumpInsn(opcode, label);
    }

    @Override
    public void visitTableSwitchInsn(int min, int max, Label dflt, Label... labels) {
        inARow++;
        report();
        super.visitTableSwitchInsn(min, max, dflt, labels);
    }

    @Override
    public void visitLookupSwitchInsn(Label dflt, int[] keys, Label[] labels) {
        inARow++;
        report();
        super.visitLookupSwitchInsn(dflt, keys, labels);
    }

    @Override
    public void visitIntInsn(int opcode, int operand) {
        inARow++;
        super.visitIntInsn(opcode, operand);
    }

    @Override
    public void visitVarInsn(int opcode, int variable) {
        inARow++;
        super.visitVarInsn(opcode, variable);
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
        inARow++;
        super.visitTypeInsn(opcode, type);
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
        inARow++;
        super.visitFieldInsn(opcode, owner, name, descriptor);
    }

    @Override
    public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
        inARow++;
        super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
    }

    @Override
    public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
        inARow++;
        super.visitInvokeDynamicInsn(name, descriptor, bootstrap, arguments);
    }

    @Override
    public void visitLdcInsn(Object value) {
        inARow++;
        super.visitLdcInsn(value);
    }

    @Override
    public void visitIincInsn(int variable, int increment) {
        inARow++;
        super.visitIincInsn(variable, increment);
    }

    @Override
    public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
        inARow++;
        super.visitMultiANewArrayInsn(descriptor, dimensions);
    }
}
