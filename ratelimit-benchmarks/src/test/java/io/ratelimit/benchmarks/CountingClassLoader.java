package io.ratelimit.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.function.Predicate;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Loads classes anew, some of them so that they report to {@link ExecutedBytecodes} what they execute. All other classes
 * are those of the parent.
 */
final class CountingClassLoader extends ClassLoader {

    private final Predicate<String> anew;
    private final Predicate<String> counted;

    /**
     * Makes a loader.
     *
     * @param anew names of the classes that are not the parent's
     * @param counted which of these report
     */
    CountingClassLoader(Predicate<String> anew, Predicate<String> counted) {
        super(CountingClassLoader.class.getClassLoader());
        this.anew = anew.and(name -> !name.equals(ExecutedBytecodes.class.getName()));
        this.counted = counted;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!anew.test(name)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? findClass(name) : loaded;
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        try (InputStream file = getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (file == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] code = file.readAllBytes();
            byte[] used = counted.test(name) ? counting(code) : code;
            return defineClass(name, used, 0, used.length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] counting(byte[] code) {
        ClassReader read = new ClassReader(code);
        ClassWriter written = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        read.accept(
                new ClassVisitor(Opcodes.ASM9, written) {
                    @Override
                    public MethodVisitor visitMethod(
                            int access, String name, String descriptor, String signature, String[] exceptions) {
                        MethodVisitor method = super.visitMethod(access, name, descriptor, signature, exceptions);
                        return new CountedMethod(method);
                    }
                },
                ClassReader.SKIP_DEBUG);
        return written.toByteArray();
    }
}
