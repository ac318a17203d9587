package io.ratelimit.benchmarks.cluster;

import io.ratelimit.benchmarks.RulesInMemory;
import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.RateLimitEngineBuilder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One host of a cluster, in a process of its own: an engine, and a caller that makes requests when they are due, however
 * long the others take. Told what to do by lines on standard input.
 */
public final class HostProcess {

    /** What is said before everything that the other process is to read. */
    static final String WORD = "cluster-host: ";

    private final RateLimitEngine engine;
    private volatile boolean leaving;
    private @Nullable Thread caller;

    private HostProcess(RateLimitEngine engine) {
        this.engine = engine;
    }

    /**
     * Runs.
     *
     * @param args the file with the rules, and settings as {@code NAME=VALUE}
     * @throws IOException if the rules cannot be read
     * @throws InterruptedException if the thread is interrupted
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        RateLimitEngineBuilder builder = RateLimitEngine.builder()
                .rules(new RulesInMemory(Files.readString(Path.of(args[0]))))
                .timeSource(new WallClock());
        for (String setting : Arrays.asList(args).subList(1, args.length)) {
            int equals = setting.indexOf('=');
            builder.setting(setting.substring(0, equals), setting.substring(equals + 1));
        }
        RateLimitEngine engine = builder.build();
        engine.start();
        new HostProcess(engine).listen();
        System.exit(0);
    }

    private void listen() throws IOException, InterruptedException {
        say("ready");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ", -1);
            switch (words[0]) {
                case "load" -> {
                    Thread calling = new Thread(() -> load(words), "caller");
                    calling.start();
                    caller = calling;
                }
                case "clock" -> System.setProperty(WallClock.OFFSET, words[1]);
                case "state" -> say("state " + heapBytes() + " " + Thread.activeCount());
                case "leave" -> {
                    leave();
                    return;
                }
                default -> throw new IllegalArgumentException(line);
            }
        }
    }

    /** As an application does that is shut down: no more requests first, and then no limiter. */
    private void leave() throws InterruptedException {
        leaving = true;
        if (caller != null) {
            caller.join();
        }
        engine.close();
        say("left");
    }

    private static long heapBytes() throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            System.gc();
            TimeUnit.MILLISECONDS.sleep(100);
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /**
     * {@code load FILES START_NANOS END_NANOS CLIENTS PATH=RATE...}: makes requests to all paths at the same time, as many
     * of each client each second as the rate says. Until the start, other clients warm the host up.
     */
    private void load(String[] words) {
        List<Flow> flows = new ArrayList<>();
        for (int i = 5; i < words.length; i++) {
            int equals = words[i].indexOf('=');
            flows.add(new Flow(words[i].substring(0, equals), Double.parseDouble(words[i].substring(equals + 1))));
        }
        try (RequestLogs logs = RequestLogs.open(words[1], flows.size())) {
            new Caller(engine.limiter(), flows, Integer.parseInt(words[4]), logs)
                    .call(Long.parseLong(words[2]), Long.parseLong(words[3]), () -> leaving);
        } catch (IOException e) {
            System.err.println("there is no place for the requests: " + e);
            System.exit(1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        say("done");
    }

    private static void say(String line) {
        System.out.println(WORD + line);
        System.out.flush();
    }
}
