package io.ratelimit.server.envoy.descriptor;

import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.bucket.LocalBucketStore;
import io.ratelimit.core.match.LimitedRule;
import io.ratelimit.rules.OnExceeded;
import io.ratelimit.rules.Rule;
import io.ratelimit.rules.RulesDocument;
import io.ratelimit.rules.RulesException;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.Charge;
import io.ratelimit.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Descriptors in force, with buckets that are charged by what is found in them. */
final class LimitedByDescriptors {

    static final RuleLimits LIMITS = LimitedByDescriptors::limited;

    private final ManualTimeSource time = new ManualTimeSource();
    private final LocalBucketStore buckets = new LocalBucketStore(time, 1_000);
    private final DescriptorSet descriptors;
    private int shadowed;

    private LimitedByDescriptors(DescriptorSet descriptors) {
        this.descriptors = descriptors;
    }

    static LimitedByDescriptors of(String yaml) {
        try {
            return new LimitedByDescriptors(read(yaml));
        } catch (RulesException e) {
            throw new IllegalArgumentException(e);
        }
    }

    static DescriptorSet read(String... files) throws RulesException {
        List<RulesDocument> documents = new ArrayList<>();
        for (String file : files) {
            documents.add(new RulesDocument(
                    "file" + (documents.size() + 1) + ".yaml", file.getBytes(StandardCharsets.UTF_8), "", 1));
        }
        return new DescriptorsParser(LIMITS).parse(documents, 1);
    }

    private static LimitedRule limited(Rule rule, String service, long version) {
        return new LimitedRule(
                rule, new BucketSpec(service, rule.name(), version, rule.limits(), rule.store()), List.of(rule.name()));
    }

    /** Entries written {@code key=value}. */
    Optional<DescriptorMatch> find(String domain, String... entries) {
        List<DescriptorEntry> parsed = Arrays.stream(entries)
                .map(entry -> entry.split("=", 2))
                .map(parts -> new DescriptorEntry(parts[0], parts[1]))
                .toList();
        return descriptors.domain(domain).flatMap(tree -> tree.find(parsed));
    }

    /** The name of the rule that a descriptor is charged under, or what else becomes of it. */
    String ruleOf(String domain, String... entries) {
        return find(domain, entries)
                .map(match -> match.limit().quota())
                .map(quota -> quota.rule().rule().name())
                .orElse("none");
    }

    /** One request of one descriptor. */
    String ask(String domain, String... entries) {
        Optional<DescriptorMatch> match = find(domain, entries);
        DescriptorLimit.Quota quota = match.map(found -> found.limit().quota()).orElse(null);
        if (quota == null) {
            return "OK";
        }
        boolean admitted = spend(new Charge(match.get().client(), quota.rule().bucket(), 1));
        if (!admitted && quota.rule().rule().onExceeded() == OnExceeded.SHADOW) {
            shadowed++;
            return "OK";
        }
        return admitted ? "OK" : "OVER";
    }

    private boolean spend(Charge charge) {
        try {
            return buckets.spend(List.of(charge), Duration.ofSeconds(1))
                    .toCompletableFuture()
                    .join()
                    .allowed();
        } catch (StoreException e) {
            throw new IllegalStateException(e);
        }
    }

    List<String> ask(int times, String domain, String... entries) {
        List<String> answers = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            answers.add(ask(domain, entries));
        }
        return answers;
    }

    void pass(Duration elapsed) {
        time.advance(elapsed);
    }

    int shadowed() {
        return shadowed;
    }
}
