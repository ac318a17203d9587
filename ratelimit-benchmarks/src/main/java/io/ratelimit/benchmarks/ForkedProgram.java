package io.ratelimit.benchmarks;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs a program of this module in a Java virtual machine of its own, so that no measurement finds the heap or the
 * compiled code of another one. Immutable.
 */
public final class ForkedProgram {

    private final Class<?> program;
    private final List<String> jvmFlags;

    /**
     * Makes a program that is not running yet.
     *
     * @param program a class with a main method
     * @param jvmFlags flags of its virtual machine
     */
    public ForkedProgram(Class<?> program, List<String> jvmFlags) {
        this.program = program;
        this.jvmFlags = List.copyOf(jvmFlags);
    }

    /**
     * Runs the program to its end.
     *
     * @param args its arguments
     * @return what it said on standard output
     * @throws IOException if it cannot be started, or fails
     * @throws InterruptedException if the thread is interrupted meanwhile; the program is ended then
     */
    public String run(List<String> args) throws IOException, InterruptedException {
        Process process = start(args);
        try {
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int code = process.waitFor();
            if (code != 0) {
                throw new IOException(program.getSimpleName() + " " + String.join(" ", args) + " ended with " + code
                        + " and said: " + said);
            }
            return said;
        } finally {
            process.destroy();
        }
    }

    /**
     * Starts the program, for a caller who talks to it and ends it.
     *
     * @param args its arguments
     * @return its process, whose standard error is this one's
     * @throws IOException if it cannot be started
     */
    public Process start(List<String> args) throws IOException {
        return start(List.of(), args);
    }

    /**
     * Starts the program by way of another one.
     *
     * @param prefix a command that runs the command that follows it, and ends with it; may be empty
     * @param args the program's arguments
     * @return its process, whose standard error is this one's
     * @throws IOException if it cannot be started
     */
    public Process start(List<String> prefix, List<String> args) throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(command(args));
        return new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
    }

    private List<String> command(List<String> args) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmFlags);
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(program.getName());
        command.addAll(args);
        return command;
    }
}
