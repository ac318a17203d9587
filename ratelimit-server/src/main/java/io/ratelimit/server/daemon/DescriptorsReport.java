package io.ratelimit.server.daemon;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ratelimit.core.rules.Printable;
import io.ratelimit.server.envoy.descriptor.DescriptorTree;
import io.ratelimit.server.envoy.descriptor.DescriptorsStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What operators are told of descriptor files, beside how things stand with the engine.
 *
 * @param status how things stand with the files
 */
record DescriptorsReport(DescriptorsStatus status) {

    private static final ObjectMapper JSON = new ObjectMapper();

    /** What is wrong with the files now, in a sentence; nothing where they are in force as they are. */
    List<String> trouble() {
        return status.refused()
                ? List.of("The descriptor files are refused, those before are in force: " + status.place())
                : List.of();
    }

    /** The engine's status, with the files behind it. */
    byte[] behind(byte[] engine, boolean isText) {
        return isText
                ? (new String(engine, StandardCharsets.UTF_8) + text()).getBytes(StandardCharsets.UTF_8)
                : json(engine);
    }

    private byte[] json(byte[] engine) {
        try {
            ObjectNode all = (ObjectNode) JSON.readTree(engine);
            write(all.putObject("descriptors"));
            return JSON.writeValueAsBytes(all);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void write(ObjectNode json) {
        json.put("source", status.place())
                .put("version", status.inForce().version())
                .put("since", status.since().toString());
        ArrayNode files = json.putArray("files");
        status.inForce()
                .domains()
                .forEach((domain, tree) -> files.addObject()
                        .put("file", tree.location())
                        .put("domain", domain)
                        .put("limits", tree.limits())
                        .put("levels", tree.depth()));
        json.put("refused", status.refused());
        DescriptorsStatus.Failure failure = status.lastFailure();
        if (failure == null) {
            json.putNull("lastFailure");
        } else {
            ObjectNode last =
                    json.putObject("lastFailure").put("at", failure.at().toString());
            failure.reasons().forEach(last.putArray("reasons")::add);
        }
    }

    private String text() {
        StringBuilder text = new StringBuilder("descriptors: ")
                .append(status.inForce().sizeInWords())
                .append(", version ")
                .append(status.inForce().version())
                .append(" since ")
                .append(status.since())
                .append(", from ")
                .append(status.place())
                .append('\n');
        status.inForce()
                .domains()
                .forEach((domain, tree) ->
                        text.append("  ").append(line(domain, tree)).append('\n'));
        DescriptorsStatus.Failure failure = status.lastFailure();
        if (failure != null) {
            text.append(status.refused() ? "  NOT IN FORCE AS THEY ARE since " : "  mended; refused last at ")
                    .append(failure.at())
                    .append(":\n");
            failure.reasons()
                    .forEach(reason -> text.append("    ")
                            .append(Printable.escaped(reason))
                            .append('\n'));
        }
        return text.toString();
    }

    private static String line(String domain, DescriptorTree tree) {
        return Printable.escaped(tree.location() + ": domain " + domain + ", " + tree.sizeInWords());
    }
}
