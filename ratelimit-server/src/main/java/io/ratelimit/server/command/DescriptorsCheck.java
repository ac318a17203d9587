package io.ratelimit.server.command;

import io.ratelimit.core.match.LimitedRule;
import io.ratelimit.rules.RulesDocument;
import io.ratelimit.rules.RulesException;
import io.ratelimit.server.envoy.descriptor.DescriptorFiles;
import io.ratelimit.server.envoy.descriptor.DescriptorSet;
import io.ratelimit.server.envoy.descriptor.DescriptorsParser;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads descriptor files as a daemon does that is to follow them. For one use. */
final class DescriptorsCheck {

    private static final DescriptorsParser PARSER = new DescriptorsParser(LimitedRule::ofHostWithoutSettings);

    private final List<RulesDocument> files = new ArrayList<>();

    /** Adds a file, or the files of a directory. */
    void add(RulesPlace place) {
        if (place instanceof RulesPlace.StandardInput) {
            files.add(new RulesDocument(place.name(), place.read(), "", 1));
            return;
        }
        try {
            files.addAll(new DescriptorFiles(Path.of(place.name())).look().files());
        } catch (IOException | InvalidPathException e) {
            throw new CommandException(String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * Reads the files together.
     *
     * @throws RulesException with all mistakes of all files
     */
    DescriptorSet read() throws RulesException {
        return PARSER.parse(files, 1);
    }
}
