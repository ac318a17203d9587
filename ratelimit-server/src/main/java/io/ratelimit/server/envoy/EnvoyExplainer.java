package io.ratelimit.server.envoy;

import io.ratelimit.RequestContext;
import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.explain.Explanation;
import io.ratelimit.core.explain.RuleExplanation;
import io.ratelimit.core.match.ExplainedRequest;
import io.ratelimit.core.match.ExplainedRule;
import io.ratelimit.core.match.RuleCharge;
import io.ratelimit.core.rules.NearestWord;
import io.ratelimit.core.rules.Printable;
import io.ratelimit.server.envoy.descriptor.DescriptorLimit;
import io.ratelimit.server.envoy.descriptor.DescriptorSet;
import io.ratelimit.server.envoy.descriptor.DescriptorTree;
import io.ratelimit.server.envoy.descriptor.DescriptorWay;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Explains what would become of a request of Envoy: for each descriptor, what the files say of it, and each rule of one's
 * own where they apply to the domain. Charges nothing. Thread-safe.
 */
final class EnvoyExplainer {

    private final RateLimitEngine engine;
    private final Supplier<DescriptorSet> descriptors;
    private final DescriptorLimits limits;

    EnvoyExplainer(RateLimitEngine engine, Supplier<DescriptorSet> descriptors, DescriptorLimits limits) {
        this.engine = engine;
        this.descriptors = descriptors;
        this.limits = limits;
    }

    Explanation explain(EnvoyQuestion question) {
        DescriptorSet set = descriptors.get();
        boolean hasRules = engine.rules().service().equals(question.domain());
        List<ExplainedRule> rules = new ArrayList<>();
        int number = 0;
        for (LimitedDescriptor descriptor : limits.of(question.toRequest(), set)) {
            number++;
            String place = "descriptor " + number;
            rules.add(set.domain(question.domain())
                    .map(tree -> ofFile(place, tree, descriptor))
                    .orElseGet(() -> without(place, unknown(question.domain(), set))));
            if (hasRules) {
                rules.addAll(own(descriptor));
            }
        }
        return engine.explain(question.toString(), new ExplainedRequest(null, rules));
    }

    private static String unknown(String domain, DescriptorSet set) {
        return "no descriptor file has domain " + Printable.quoted(domain)
                + NearestWord.hint(domain, set.domains().keySet());
    }

    private static ExplainedRule ofFile(String place, DescriptorTree tree, LimitedDescriptor descriptor) {
        DescriptorWay way = tree.explain(descriptor.entries());
        DescriptorLimit limit = descriptor.limit();
        if (!way.isLimited()) {
            return without(place, way.reason());
        }
        if (limit == null) {
            return without(place, way.reason() + ", but the limit of another one replaces it");
        }
        if (limit.quota() == null) {
            return without(place, way.reason() + " is unlimited");
        }
        RuleCharge charge = descriptor.charges().get(0);
        return new ExplainedRule(
                new RuleExplanation(
                        charge.rule().rule().name(),
                        true,
                        false,
                        way.reason(),
                        List.of(),
                        way.key(),
                        charge.charge().cost() + " (default)",
                        List.of(),
                        null),
                charge);
    }

    private static ExplainedRule without(String place, String reason) {
        return new ExplainedRule(
                new RuleExplanation(place, false, false, reason, List.of(), null, null, List.of(), null), null);
    }

    private List<ExplainedRule> own(LimitedDescriptor descriptor) {
        return engine.explainRules(new DescriptorRequest(descriptor.entries(), RequestContext.NO_COST)).rules().stream()
                .map(EnvoyExplainer::withoutSettling)
                .toList();
    }

    /** As in deciding: nobody tells how a request went. */
    private static ExplainedRule withoutSettling(ExplainedRule explained) {
        return Optional.ofNullable(explained.charge())
                .filter(charge -> charge.rule().mustBeSettled())
                .map(charge -> without(
                        charge.rule().rule().name(), "Envoy does not tell how a request went, which it must know"))
                .orElse(explained);
    }
}
