package io.ratelimit.server.command;

import io.ratelimit.server.remote.RemoteRules;
import io.ratelimit.server.remote.RemoteService;
import io.ratelimit.server.remote.ServiceAwayException;
import io.ratelimit.server.remote.ServiceRefusedException;
import io.ratelimit.server.rules.ServiceName;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Rules that a rules service has, in force or of a version.
 *
 * @param service whose rules
 * @param version which version; null for the one in force
 * @param remote has them; asked for when they are read
 */
record ServiceRules(ServiceName service, @Nullable Long version, Supplier<RemoteService> remote) implements RulesPlace {

    private static final String PREFIX = "service:";
    private static final Pattern WORD = Pattern.compile(PREFIX + "(?<service>[^@]*)(?:@(?<version>[0-9]{1,18}))?");

    /**
     * Reads {@code service:NAME} and {@code service:NAME@VERSION}.
     *
     * @return the place, empty where the word is the name of a file
     * @throws CommandException if it is neither
     */
    static Optional<RulesPlace> of(String word, Supplier<RemoteService> remote) {
        if (!word.startsWith(PREFIX)) {
            return Optional.empty();
        }
        Matcher parts = WORD.matcher(word);
        if (!parts.matches()) {
            throw new CommandException(
                    word + ": write service:NAME or service:NAME@VERSION, such as service:orders@17", null);
        }
        String version = parts.group("version");
        try {
            ServiceName service = new ServiceName(parts.group("service"));
            return Optional.of(new ServiceRules(service, version == null ? null : Long.valueOf(version), remote));
        } catch (IllegalArgumentException e) {
            throw new CommandException(word + ": " + e.getMessage(), e);
        }
    }

    @Override
    public String name() {
        return PREFIX + service + (version == null ? "" : "@" + version);
    }

    @Override
    public byte[] read() {
        try {
            return retrieve().text().getBytes(StandardCharsets.UTF_8);
        } catch (ServiceAwayException | ServiceRefusedException e) {
            throw new CommandException(String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * Asks the service.
     *
     * @throws CommandException if no rules are in force
     */
    RemoteRules retrieve() throws ServiceAwayException, ServiceRefusedException {
        if (version != null) {
            return remote.get().version(service, version);
        }
        return remote.get()
                .inForce(service)
                .orElseThrow(() -> new CommandException(
                        "no rules are in force for '" + service + "': look at how the name is spelt", null));
    }
}
