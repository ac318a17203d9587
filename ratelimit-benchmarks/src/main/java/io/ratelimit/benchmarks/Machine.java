package io.ratelimit.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the figures of a run depend on: versions, the Java virtual machine, the machine, the day. */
final class Machine {

    private static final DateTimeFormatter MINUTES = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'");
    private static final Path PROCESSORS = Path.of("/proc/cpuinfo");
    private static final double BYTES_PER_GIB = 1L << 30;

    private final Clock clock;

    Machine(Clock clock) {
        this.clock = clock;
    }

    List<Fact> facts() {
        List<Fact> facts = new ArrayList<>();
        facts.add(new Fact("date", MINUTES.format(clock.instant().atOffset(ZoneOffset.UTC))));
        facts.add(new Fact("versions", versions()));
        facts.add(new Fact(
                "JDK",
                System.getProperty("java.vendor") + " " + System.getProperty("java.runtime.version") + ", "
                        + System.getProperty("java.vm.name")));
        facts.add(new Fact("machine", machine()));
        return facts;
    }

    private static String versions() {
        Properties versions = new Properties();
        try (InputStream read = Machine.class.getResourceAsStream("/versions.properties")) {
            versions.load(read);
        } catch (IOException e) {
            throw new UncheckedIOException("the versions of what is measured cannot be read", e);
        }
        return new TreeSet<>(versions.stringPropertyNames())
                .stream().map(name -> name + " " + versions.getProperty(name)).collect(Collectors.joining(", "));
    }

    private static String machine() {
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return system.getAvailableProcessors() + " × " + processor() + ", "
                + Math.round(system.getTotalMemorySize() / BYTES_PER_GIB) + " GiB, " + system.getName() + " "
                + system.getVersion() + ", load "
                + String.format(Locale.ROOT, "%.1f", system.getSystemLoadAverage()) + " at the start";
    }

    private static String processor() {
        try (Stream<String> lines = Files.lines(PROCESSORS)) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("an unnamed processor");
        } catch (IOException | UncheckedIOException notLinux) {
            return "an unnamed processor";
        }
    }
}
