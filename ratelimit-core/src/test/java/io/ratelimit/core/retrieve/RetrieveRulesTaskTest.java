package io.ratelimit.core.retrieve;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.RateLimitListener;
import io.ratelimit.TimeSource;
import io.ratelimit.core.retrieve.RulesStatus.Origin;
import io.ratelimit.core.retrieve.RulesStatus.Push;
import io.ratelimit.rules.ClientAddressPolicy;
import io.ratelimit.rules.RuleProblem;
import io.ratelimit.rules.RuleSet;
import io.ratelimit.rules.RulesDocument;
import io.ratelimit.rules.RulesException;
import io.ratelimit.rules.RulesSource;
import io.ratelimit.rules.StorePolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RetrieveRulesTaskTest {

    private static final Instant NOON = Instant.parse("2026-11-01T12:00:00Z");
    private static final String LOCATION = "http://rules/orders";

    @TempDir
    Path directory;

    private final CapturedLog log = new CapturedLog(RetrieveRulesTask.class, KeptRules.class);
    private final ScriptedSource source = new ScriptedSource();
    private final List<String> read = new ArrayList<>();
    private final List<Long> enforced = new ArrayList<>();
    private final List<Throwable> heard = new ArrayList<>();
    private RulesTarget target = rules -> enforced.add(rules.version());
    private Instant now = NOON;
    private RetrieveRulesTask task;

    @BeforeEach
    void makeTask() {
        task = task();
    }

    @AfterEach
    void closeLog() {
        log.close();
    }

    @Test
    void acceptedRulesMakeTheHostReady() {
        assertThat(task.status().ready()).isFalse();
        source.gives("one", 1);

        task.run();

        assertThat(enforced).containsExactly(1L);
        assertThat(task.status())
                .isEqualTo(new RulesStatus(Origin.SOURCE, 1, null, NOON, null, 0, List.of(), Push.NONE));
        assertThat(task.status().ready()).isTrue();
        assertThat(log.warnings()).isEmpty();
    }

    @Test
    void unchangedPollsCallNothing() {
        source.gives("one", 1);
        task.run();
        now = NOON.plusSeconds(60);
        RulesStatus before = task.status();

        for (int i = 0; i < 20; i++) {
            task.run();
        }

        assertThat(read).containsExactly("one");
        assertThat(enforced).containsExactly(1L);
        assertThat(task.status()).isEqualTo(before);
        assertThat(log.warnings()).isEmpty();
        assertThat(log.infos()).hasSize(1);
    }

    @Test
    void aBrokenEditKeepsTheRulesAndIsReportedOnce() {
        source.gives("one", 1);
        task.run();
        source.gives("bad one", 2);

        task.run();
        task.run();
        task.run();

        assertThat(enforced).containsExactly(1L);
        assertThat(read).containsExactly("one", "bad one");
        assertThat(log.warnings())
                .containsExactly("Rules are refused, those in force stay: " + LOCATION
                        + ":3:7: rule 'login', field rules[0].limits: ' bad one' is no rate");
        assertThat(heard).singleElement().isInstanceOf(RulesException.class);
        assertThat(task.status().error()).contains(":3:7: rule 'login'");
        assertThat(task.status().version()).isEqualTo(1);
        assertThat(task.status().ready()).isTrue();
        assertThat(task.status().failures()).isZero();
    }

    @Test
    void refusedContentIsNotReadAgainUnderAnotherTag() {
        source.gives("bad", 1);
        task.run();
        source.retag("\"other\"");
        task.run();

        assertThat(read).containsExactly("bad");
        assertThat(task.status().error()).contains("is no rate");
        assertThat(task.status().errors()).singleElement().asString().contains("is no rate");
    }

    @Test
    void aRefusalTellsTenMistakesAtMostUntilTheRulesAreGood() {
        source.gives("bad many", 1);
        task.run();
        assertThat(task.status().error()).contains("mistake 0").endsWith("(and 11 more)");
        assertThat(task.status().errors()).hasSize(10).last().asString().contains("rules[0].limits", "mistake 9");
        source.fails(new IOException("gone"));
        task.run();
        assertThat(task.status().errors()).isEmpty();
        source.answers();
        task.run();
        assertThat(task.status().errors()).hasSize(10);
        source.gives("one", 2);
        task.run();
        assertThat(task.status().errors()).isEmpty();
    }

    @Test
    void aMendedEditIsTakenAndClearsTheError() {
        source.gives("one", 1);
        task.run();
        source.gives("bad", 2);
        task.run();
        source.gives("two", 3);
        task.run();

        assertThat(enforced).containsExactly(1L, 3L);
        assertThat(task.status().error()).isNull();
    }

    @Test
    void aBrokenEditThatIsTakenBackClearsTheErrorAndReplacesNothing() {
        source.gives("one", 1);
        task.run();
        source.gives("bad", 2);
        task.run();
        source.gives("one", 3);
        task.run();

        assertThat(enforced).containsExactly(1L);
        assertThat(task.status().error()).isNull();
        assertThat(log.infos()).last().asString().contains("holds the rules in force again");
    }

    @Test
    void operatorsAreToldTheNameOfTheVersion() {
        source.gives("one", 1, "17");
        task.run();

        assertThat(task.status())
                .isEqualTo(new RulesStatus(Origin.SOURCE, 1, "17", NOON, null, 0, List.of(), Push.NONE));
        assertThat(log.infos())
                .containsExactly("Rules in force: version 17 (1) of service orders from " + LOCATION + ", 0 rules");
        source.gives("unnamed", 2);
        task.run();
        assertThat(task.status().versionName()).isNull();
        assertThat(log.infos()).last().asString().startsWith("Rules in force: version 2 of service orders");
    }

    @Test
    void theSameRulesPublishedAnewComeIntoForceAsANewVersion() {
        source.gives("one", 1, "17");
        task.run();
        source.gives("one", 2, "18");
        source.retag("\"18\"");
        task.run();

        assertThat(enforced).containsExactly(1L, 3L);
        assertThat(task.status().versionName()).isEqualTo("18");
        restart();
        source.fails(new IOException("gone"));
        task.run();
        assertThat(task.status().versionName()).isEqualTo("18");
    }

    @Test
    void rulesThatTheTargetRefusesAreTreatedTheSame() {
        target = rules -> {
            throw refusal("too many tokens");
        };
        task = task();
        source.gives("one", 1);

        task.run();
        task.run();

        assertThat(read).containsExactly("one");
        assertThat(task.status().ready()).isFalse();
        assertThat(log.warnings().get(0)).contains("no rules are in force").contains("too many tokens");
    }

    @Test
    void aReaderThatFailsOnADocumentIsNotAskedAboutItAgain() {
        source.gives("one", 1);
        task.run();
        source.gives("crash", 2);
        task.run();
        task.run();
        source.gives("deep", 3);
        task.run();
        task.run();

        assertThat(read).containsExactly("one", "crash", "deep");
        assertThat(enforced).containsExactly(1L);
        assertThat(log.warnings()).hasSize(2).allMatch(line -> line.startsWith("Rules are refused, those in force"));
    }

    @Test
    void shortMemoryIsNotTheDocumentsFault() {
        source.gives("one", 1);
        task.run();
        source.gives("huge", 2);
        task.run();
        task.run();

        assertThat(read).containsExactly("one", "huge", "huge");
        assertThat(task.status().failures()).isEqualTo(2);
        assertThat(log.warnings()).hasSize(1);
        source.gives("two", 3);
        task.run();
        assertThat(enforced).containsExactly(1L, 3L);
        assertThat(task.status().failures()).isZero();
    }

    @Test
    void anOutageIsReportedWhenItBeginsAndWhenItEnds() {
        source.gives("one", 1);
        task.run();
        source.fails(new IOException(LOCATION + ": cannot connect"));
        task.run();
        task.run();
        task.run();

        assertThat(log.warnings())
                .containsExactly("Rules cannot be retrieved, trying on: " + LOCATION + ": cannot connect");
        assertThat(heard).hasSize(3);
        assertThat(task.status())
                .isEqualTo(new RulesStatus(
                        Origin.SOURCE, 1, null, NOON, LOCATION + ": cannot connect", 3, List.of(), Push.NONE));

        source.answers();
        task.run();
        task.run();

        assertThat(log.warnings()).hasSize(1);
        assertThat(log.infos().subList(1, log.infos().size()))
                .containsExactly("Rules are retrieved again from " + LOCATION + ", after 3 failures");
        assertThat(task.status())
                .isEqualTo(new RulesStatus(Origin.SOURCE, 1, null, NOON, null, 0, List.of(), Push.NONE));
    }

    @Test
    void anOutageDoesNotHideThatTheLastRulesWereRefused() {
        source.gives("one", 1);
        task.run();
        source.gives("bad", 2);
        task.run();
        source.fails(new IOException("gone"));
        task.run();
        assertThat(task.status().error()).isEqualTo(LOCATION + ": gone");
        source.answers();
        task.run();

        assertThat(task.status().error()).contains("is no rate");
    }

    @Test
    void nothingEscapesWhateverTheSourceThrows() {
        for (Throwable failure : List.of(
                new IllegalStateException("bug"),
                new StackOverflowError(),
                new OutOfMemoryError(),
                new NoSuchFieldError())) {
            source.fails(failure);
            task.run();
        }

        assertThat(task.status().failures()).isEqualTo(4);
        assertThat(heard).hasSize(4);
    }

    @Test
    void aMessageStaysOneLine() {
        source.fails(new IOException("first\r\nWARN second\u2028third"));
        task.run();

        assertThat(log.warnings().get(0))
                .doesNotContainPattern("[\\r\\n\\u2028]")
                .contains("first WARN second third");
    }

    @Test
    void anInterruptIsNoFailureAndIsKept() {
        source.gives("one", 1);
        task.run();
        source.fails(new InterruptedException());
        task.run();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(task.status().failures()).isZero();
        assertThat(log.warnings()).isEmpty();
    }

    @Test
    void withoutSourceAndFileTheHostStartsOpenAndSaysSo() {
        source.fails(new IOException("gone"));
        task.run();
        task.run();

        assertThat(task.status().ready()).isFalse();
        assertThat(log.warnings()).hasSize(2);
        assertThat(log.warnings().get(1)).contains("WITHOUT RATE LIMITS").contains("not ready");
        source.gives("one", 1);
        task.run();
        assertThat(task.status().ready()).isTrue();
    }

    @Test
    void aRestartWithoutTheSourceStartsFromTheLastGoodRules() {
        source.gives("one", 7);
        task.run();
        restart();
        now = NOON.plusSeconds(3 * 3600);
        source.fails(new IOException("gone"));

        task.run();

        assertThat(enforced).containsExactly(7L, 7L);
        assertThat(task.status())
                .isEqualTo(new RulesStatus(
                        Origin.LAST_GOOD_FILE, 7, null, now, LOCATION + ": gone", 1, List.of(), Push.NONE));
        assertThat(task.status().ready()).isTrue();
        assertThat(log.warnings()).hasSize(2);
        assertThat(log.warnings().get(1))
                .contains("LAST GOOD RULES")
                .contains("3 hours ago")
                .contains("kept");
    }

    @Test
    void aSourceThatThrowsWhatItDoesNotDeclareIsOneThatFails() {
        source.gives("one", 7);
        task.run();
        restart();
        source.fails(new TimeoutException("late"));

        task.run();

        assertThat(enforced).containsExactly(7L, 7L);
        assertThat(task.status().error()).endsWith("late");
    }

    @Test
    void theSourceConfirmsTheLastGoodRulesWhenItIsBack() {
        aRestartWithoutTheSourceStartsFromTheLastGoodRules();
        source.answers();
        source.gives("one", 7);
        task.run();

        assertThat(enforced).containsExactly(7L, 7L);
        assertThat(task.status())
                .isEqualTo(new RulesStatus(Origin.SOURCE, 7, null, now, null, 0, List.of(), Push.NONE));
    }

    @Test
    void aRestartWithAnUnchangedSourceKeepsTheVersion() {
        source.gives("one", 7);
        task.run();
        restart();

        task.run();

        assertThat(source.last).isNotNull();
        assertThat(source.last.tag()).isEqualTo("\"one\"");
        assertThat(enforced).containsExactly(7L, 7L);
        assertThat(task.status())
                .isEqualTo(new RulesStatus(Origin.SOURCE, 7, null, NOON, null, 0, List.of(), Push.NONE));
        assertThat(log.warnings()).isEmpty();
    }

    @Test
    void aRestartWhileTheSourceHasBrokenRulesStartsFromTheLastGoodOnes() {
        source.gives("one", 7);
        task.run();
        restart();
        source.gives("bad", 8);

        task.run();
        task.run();

        assertThat(enforced).containsExactly(7L, 7L);
        assertThat(read).containsExactly("one", "bad", "one");
        assertThat(task.status().origin()).isEqualTo(Origin.LAST_GOOD_FILE);
        assertThat(task.status().error()).contains("is no rate");
        source.gives("two", 9);
        task.run();
        assertThat(task.status())
                .isEqualTo(new RulesStatus(Origin.SOURCE, 9, null, NOON, null, 0, List.of(), Push.NONE));
    }

    @Test
    void anErrorAtTheFirstRetrievalStartsFromTheLastGoodRulesToo() {
        source.gives("one", 7);
        task.run();
        restart();
        source.fails(new NoClassDefFoundError("test"));
        task.run();

        assertThat(task.status().origin()).isEqualTo(Origin.LAST_GOOD_FILE);
    }

    @Test
    void anInterruptedFirstRetrievalIsMadeUpFor() {
        source.gives("one", 7);
        task.run();
        restart();
        source.fails(new InterruptedException());
        task.run();
        assertThat(Thread.interrupted()).isTrue();
        source.fails(new IOException("gone"));
        task.run();

        assertThat(task.status().origin()).isEqualTo(Origin.LAST_GOOD_FILE);
    }

    @Test
    void refusedRulesAreNotKept() {
        source.gives("one", 7);
        task.run();
        source.gives("bad", 8);
        task.run();
        restart();
        source.fails(new IOException("gone"));
        task.run();

        assertThat(task.status().version()).isEqualTo(7);
    }

    @Test
    void aDamagedFileIsReportedAndIgnored() throws Exception {
        Files.writeString(directory.resolve("kept"), "garbage");
        source.fails(new IOException("gone"));
        task.run();

        assertThat(task.status().ready()).isFalse();
        assertThat(log.warnings()).hasSize(3);
        assertThat(log.warnings().get(0))
                .contains("last good rules are ignored")
                .contains("is damaged");
    }

    @Test
    void aPlantedLinkIsReportedAndIgnored() throws Exception {
        source.gives("one", 7);
        task.run();
        Files.move(directory.resolve("kept"), directory.resolve("other"));
        Files.createSymbolicLink(directory.resolve("kept"), directory.resolve("other"));
        restart();
        source.fails(new IOException("gone"));
        task.run();

        assertThat(task.status().ready()).isFalse();
        assertThat(log.warnings().get(0))
                .contains("last good rules are ignored")
                .contains("is a link");
    }

    @Test
    void aFileThatCannotBeWrittenIsReportedOnce() throws Exception {
        Files.createDirectory(directory.resolve("kept"));
        source.gives("one", 1);
        task.run();
        source.gives("two", 2);
        task.run();

        assertThat(enforced).containsExactly(1L, 2L);
        assertThat(log.warnings())
                .filteredOn(line -> line.contains("could not be kept"))
                .hasSize(1);
    }

    @Test
    void closingTheTaskClosesTheSource() {
        task.close();

        assertThat(source.closed).isTrue();
    }

    private void restart() {
        task = task();
    }

    private RetrieveRulesTask task() {
        RateLimitListener listener = new RateLimitListener() {
            @Override
            public void onFailure(String kind, Throwable cause) {
                assertThat(kind).isEqualTo("rules");
                heard.add(cause);
            }
        };
        LastGoodFile file = LastGoodFile.at(directory.resolve("kept"));
        return new RetrieveRulesTask(source, this::read, rules -> target.replace(rules), file, listener, time());
    }

    private RuleSet read(RulesDocument document) throws RulesException {
        String content = new String(document.content(), UTF_8);
        read.add(content);
        if (content.equals("bad many")) {
            throw new RulesException(IntStream.range(0, 12)
                    .mapToObj(i -> problem("mistake " + i))
                    .toList());
        }
        if (content.startsWith("bad")) {
            throw refusal("'\n" + content + "' is no rate");
        }
        switch (content) {
            case "crash" -> throw new IllegalStateException("bug");
            case "deep" -> throw new StackOverflowError();
            case "huge" -> throw new OutOfMemoryError("test");
            default -> {}
        }
        return new RuleSet(
                "orders",
                document.version(),
                RuleSet.DEFAULT_CLIENTS,
                ClientAddressPolicy.DEFAULT,
                List.of(),
                List.of(),
                StorePolicy.UNSET,
                List.of());
    }

    private static RulesException refusal(String message) {
        return new RulesException(List.of(problem(message)));
    }

    private static RuleProblem problem(String message) {
        return new RuleProblem(LOCATION, 3, 7, "login", "rules[0].limits", message);
    }

    private TimeSource time() {
        return new TimeSource() {
            @Override
            public long nanoTime() {
                return 0;
            }

            @Override
            public long currentTimeMillis() {
                return now.toEpochMilli();
            }
        };
    }

    /** Recognises content by its tag, as an HTTP service does. */
    private static final class ScriptedSource implements RulesSource {

        private @Nullable RulesDocument current;
        private @Nullable RulesDocument last;
        private @Nullable Throwable failure;
        private boolean closed;

        void gives(String content, long version) {
            gives(content, version, null);
        }

        void gives(String content, long version, @Nullable String name) {
            current = new RulesDocument(LOCATION, content.getBytes(UTF_8), '"' + content + '"', version, name);
            failure = null;
        }

        void retag(String tag) {
            current = new RulesDocument(LOCATION, current.content(), tag, current.version() + 1, current.versionName());
        }

        void fails(Throwable with) {
            failure = with;
        }

        void answers() {
            failure = null;
        }

        @Override
        public String location() {
            return LOCATION;
        }

        @Override
        public Optional<RulesDocument> retrieve(@Nullable RulesDocument given)
                throws IOException, InterruptedException {
            last = given;
            if (failure instanceof IOException e) {
                throw e;
            } else if (failure instanceof InterruptedException e) {
                throw e;
            } else if (failure instanceof RuntimeException e) {
                throw e;
            } else if (failure != null) {
                throw ScriptedSource.<Error>undeclared(failure);
            }
            return Optional.ofNullable(current)
                    .filter(document -> given == null || !given.tag().equals(document.tag()));
        }

        @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
        private static <T extends Throwable> T undeclared(Throwable failure) throws T {
            throw (T) failure;
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
