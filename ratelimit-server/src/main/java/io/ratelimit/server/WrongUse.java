package io.ratelimit.server;

import io.ratelimit.core.rules.NearestWord;
import io.ratelimit.core.rules.Printable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * A command line that is not understood.
 *
 * @param wrong why
 */
record WrongUse(ParameterException wrong) {

    /** Negative numbers are values. */
    private static final Pattern FLAG = Pattern.compile("--?\\p{Alpha}");

    /** What is wrong and what would be right, on one line. */
    @Override
    public String toString() {
        CommandLine used = wrong.getCommandLine();
        return reason(used) + " (" + used.getCommandSpec().qualifiedName() + " --help shows the flags)";
    }

    private String reason(CommandLine used) {
        if (!(wrong instanceof UnmatchedArgumentException unmatched)) {
            return String.valueOf(wrong.getMessage());
        }
        String word = unmatched.getUnmatched().get(0);
        if (isFlag(word)) {
            return unknownFlags(unmatched.getUnmatched(), used);
        }
        return wrong.getMessage() + NearestWord.hint(word, used.getSubcommands().keySet());
    }

    /** The words behind them are their values, or nobody knows. */
    private static String unknownFlags(List<String> words, CommandLine used) {
        Collection<String> known = flags(used);
        List<String> unknown = words.stream()
                .filter(WrongUse::isFlag)
                .map(word -> word.split("=", 2)[0])
                .toList();
        return (unknown.size() == 1 ? "Unknown option: " : "Unknown options: ")
                + unknown.stream()
                        .map(word -> Printable.quoted(word) + NearestWord.hint(word, known))
                        .collect(Collectors.joining(", "));
    }

    private static boolean isFlag(String word) {
        return FLAG.matcher(word).lookingAt();
    }

    private static Collection<String> flags(CommandLine used) {
        List<String> flags = new ArrayList<>();
        used.getCommandSpec().options().stream()
                .filter(option -> !option.hidden())
                .forEach(option -> flags.addAll(List.of(option.names())));
        return flags;
    }
}
