package io.ratelimit.server.command;

import io.ratelimit.core.rules.Printable;
import io.ratelimit.server.document.RulesReview;
import io.ratelimit.server.document.RulesReviewer;
import io.ratelimit.server.remote.Publication;
import io.ratelimit.server.remote.RemoteRules;
import io.ratelimit.server.remote.RemoteService;
import io.ratelimit.server.remote.ServiceAwayException;
import io.ratelimit.server.remote.ServiceRefusedException;
import io.ratelimit.server.rules.Expectation;
import io.ratelimit.server.rules.ServiceName;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Publishes a rules file, unless something is in force that its author has not seen. */
@Command(
        name = "push",
        description = "Publishes a rules file at a rules service, in place of what --base says and of nothing else.",
        footerHeading = "%n",
        footer =
                "Ends with 0 if the rules are in force, 1 if they are not valid, 2 for wrong use, a file that cannot be"
                        + " read or a token that does not do, 3 if rules are in force that --base does not name, 4 if the service"
                        + " cannot be reached.")
final class PushCommand implements Callable<Integer> {

    private static final int IN_FORCE = 0;
    private static final int INVALID = 1;
    private static final int OTHERS_IN_FORCE = 3;
    private static final int AWAY = 4;

    private final Terminal terminal;

    @Mixin
    private final ServiceFlags flags;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Parameters(paramLabel = RulesPlace.LABEL, description = "a rules file; - is standard input")
    @SuppressWarnings("NullAway.Init")
    private RulesPlace file;

    @Option(names = "--service", paramLabel = "NAME", description = "the service that the rules must be for")
    private @Nullable ServiceName service;

    @Option(names = "--comment", paramLabel = "TEXT", description = "why, for the history: at most 1000 characters")
    private String comment = "";

    @Option(
            names = "--base",
            paramLabel = "BASE",
            description =
                    "what is to be replaced: a version's number (17), a tag (17-3fb2c1d0), or a file with the same"
                            + " text, such as the one of the last commit; an empty file says that there is nothing. Without"
                            + " it, only the first rules of a service are published")
    private @Nullable String base;

    @Option(names = "--force", description = "replaces whatever is in force")
    private boolean force;

    @Option(names = "--dry-run", description = "says what would be published, and publishes nothing")
    private boolean dryRun;

    PushCommand(Terminal terminal, ServiceFlags flags) {
        this.terminal = terminal;
        this.flags = flags;
    }

    @Override
    public Integer call() {
        if (force && base != null) {
            throw new ParameterException(spec.commandLine(), "--base and --force exclude each other");
        }
        if ("-".equals(base) && file instanceof RulesPlace.StandardInput) {
            throw new ParameterException(spec.commandLine(), "rules and --base cannot both be standard input");
        }
        byte[] content = file.read();
        RulesReview review = new RulesReviewer().review(file.name(), content, service == null ? null : service.text());
        review.findings().forEach(terminal.out()::println);
        if (review.rules().isEmpty()) {
            return INVALID;
        }
        Base seen = base == null ? Optional::isEmpty : Base.of(base, terminal.in());
        try {
            return push(named(review.rules().get().service()), content, seen);
        } catch (ServiceAwayException e) {
            complain(String.valueOf(e.getMessage()));
            return AWAY;
        } catch (ServiceRefusedException e) {
            if (e.errors().isEmpty()) {
                throw new CommandException(String.valueOf(e.getMessage()), e);
            }
            complain(String.valueOf(e.getMessage()));
            e.errors().forEach(terminal.out()::println);
            return INVALID;
        }
    }

    private int push(ServiceName name, byte[] content, Base seen) throws ServiceAwayException, ServiceRefusedException {
        RemoteService remote = flags.service();
        Optional<RemoteRules> inForce = remote.inForce(name);
        Differences.Named wanted = new Differences.Named(file.name(), new String(content, StandardCharsets.UTF_8));
        if (inForce.isPresent() && inForce.get().text().equals(wanted.text())) {
            terminal.out()
                    .println("these rules are in force already: version "
                            + inForce.get().number() + " of " + name + ", "
                            + inForce.get().tag());
            return IN_FORCE;
        }
        if (!force && !seen.is(inForce)) {
            return refuse(remote, name, inForce, wanted);
        }
        if (dryRun) {
            new Differences(terminal).print(document(name, inForce), wanted);
            terminal.out().println("nothing is published: --dry-run");
            return IN_FORCE;
        }
        Optional<Publication> published = remote.publish(name, content, comment, expectation(inForce));
        if (published.isEmpty()) {
            // Somebody has published since a moment ago.
            return refuse(remote, name, remote.inForce(name), wanted);
        }
        terminal.out()
                .println("published: version " + published.get().number() + " of " + name + ", "
                        + published.get().tag());
        return IN_FORCE;
    }

    private Expectation expectation(Optional<RemoteRules> inForce) {
        if (force) {
            return new Expectation.Anything();
        }
        return inForce.<Expectation>map(rules -> new Expectation.Tag(rules.tag()))
                .orElseGet(Expectation.Nothing::new);
    }

    private int refuse(RemoteService remote, ServiceName name, Optional<RemoteRules> inForce, Differences.Named wanted)
            throws ServiceAwayException, ServiceRefusedException {
        if (inForce.isEmpty()) {
            complain("nothing is published: no rules are in force for '" + name + "', other than --base says: they were"
                    + " never published, or taken out. Leave --base out to publish the first ones");
            return OTHERS_IN_FORCE;
        }
        RemoteRules others = inForce.get();
        Publication publication = remote.publication(name, others.number());
        complain("nothing is published: " + (base == null ? "" : "not what --base says but ")
                + "version " + others.number() + " of " + name + " is in force, published by "
                + Printable.escaped(publication.author()) + " at " + publication.published()
                + (publication.comment().isEmpty() ? "" : ", comment " + Printable.quoted(publication.comment()))
                + ". If these rules have what is to stay of it, push them with --base " + others.tag());
        new Differences(terminal).print(document(name, inForce), wanted);
        return OTHERS_IN_FORCE;
    }

    private static Differences.Named document(ServiceName name, Optional<RemoteRules> inForce) {
        return inForce.map(rules -> new Differences.Named("service:" + name + "@" + rules.number(), rules.text()))
                .orElseGet(() -> new Differences.Named("service:" + name, ""));
    }

    private static ServiceName named(String service) {
        try {
            return new ServiceName(service);
        } catch (IllegalArgumentException e) {
            throw new CommandException("field service: " + e.getMessage(), e);
        }
    }

    private void complain(String message) {
        terminal.err().println("ratelimit-server: " + message);
    }
}
