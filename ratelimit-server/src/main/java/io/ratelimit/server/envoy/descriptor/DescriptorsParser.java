package io.ratelimit.server.envoy.descriptor;

import io.ratelimit.core.rules.Cursor;
import io.ratelimit.core.rules.DocumentKind;
import io.ratelimit.core.rules.DocumentReader;
import io.ratelimit.core.rules.Fields;
import io.ratelimit.core.rules.Node;
import io.ratelimit.core.rules.Printable;
import io.ratelimit.core.rules.Problems;
import io.ratelimit.rules.RuleProblem;
import io.ratelimit.rules.RulesDocument;
import io.ratelimit.rules.RulesException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads descriptor files. Strict, and all or nothing: one mistake refuses all files, and all mistakes are named together.
 * Any number of threads may share one.
 */
public final class DescriptorsParser {

    private static final DocumentKind KIND =
            new DocumentKind("descriptor file", "'domain' and 'descriptors'", "'domain: shop' and 'descriptors:'");

    private static final String DOMAIN = "domain";
    private static final String WANTED_DOMAIN = "the domain that Envoy's requests name";
    private static final List<String> FIELDS = List.of(DOMAIN, "descriptors");

    private static final List<String> FIELDS_OF_RULES = List.of("service", "rules");
    private static final String RULES =
            "these are rules, and no descriptors of Envoy's rate limit service; a daemon takes"
                    + " them by --rules, and check without --descriptors";

    private final DocumentReader reader = new DocumentReader(KIND);
    private final FieldReader values = new FieldReader();
    private final RuleLimits limits;

    /**
     * Makes a parser.
     *
     * @param limits makes limits ready
     */
    public DescriptorsParser(RuleLimits limits) {
        this.limits = limits;
    }

    /**
     * Reads files that are in force together.
     *
     * @param files the files, each of another domain
     * @param version the set's version
     * @return the set
     * @throws RulesException if anything is wrong in a file; it has the problems of all files, of each the first 1,000
     */
    public DescriptorSet parse(List<RulesDocument> files, long version) throws RulesException {
        DescriptorReader descriptors = new DescriptorReader(new RateLimitReader(limits, version));
        Map<String, DescriptorTree> domains = new HashMap<>();
        Map<String, String> locations = new HashMap<>();
        List<RuleProblem> wrong = new ArrayList<>();
        for (RulesDocument file : files) {
            Problems problems = new Problems(file.location());
            Optional<Cursor> document = reader.read(file.content(), problems);
            if (document.filter(root -> hasAll(root, FIELDS_OF_RULES)).isPresent()) {
                wrong.add(new RuleProblem(file.location(), 0, 0, null, null, RULES));
                continue;
            }
            document.flatMap(root -> Fields.open(root, FIELDS, Set.of())).ifPresent(fields -> {
                Optional<String> domain = domain(fields, locations);
                String known = domain.orElse("?");
                DescriptorTree tree =
                        new DescriptorTree(file.location(), descriptors.level(fields, DescriptorPath.of(known)));
                domains.putIfAbsent(known, tree);
                locations.putIfAbsent(known, file.location());
            });
            wrong.addAll(problems.inOrder());
        }
        if (!wrong.isEmpty()) {
            throw new RulesException(wrong);
        }
        return new DescriptorSet(domains, version);
    }

    /**
     * Whether somebody meant a document to be a descriptor file, mistakes or not.
     *
     * @param content the document
     * @return true if it has both of the fields that descriptor files have
     */
    public static boolean isMeant(byte[] content) {
        Problems ignored = new Problems("");
        return new DocumentReader(KIND)
                .read(content, ignored)
                .filter(root -> hasAll(root, FIELDS))
                .isPresent();
    }

    private static boolean hasAll(Cursor root, List<String> names) {
        return root.node() instanceof Node.Mapping mapping
                && mapping.entries().stream().map(Node.Entry::key).toList().containsAll(names);
    }

    private Optional<String> domain(Fields fields, Map<String, String> locations) {
        Optional<String> domain = values.requiredText(fields, DOMAIN, WANTED_DOMAIN);
        String first = domain.map(locations::get).orElse(null);
        if (first != null) {
            Cursor field = fields.get(DOMAIN).orElseThrow();
            field.problem("the domain " + Printable.quoted(domain.orElseThrow()) + " stands in " + first
                    + " already; put the descriptors of a domain in one file");
        }
        return domain;
    }
}
