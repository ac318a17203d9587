package io.ratelimit.server.daemon;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.cfg.MutableCoercionConfig;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.type.LogicalType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Reads and writes the daemon's JSON: what is not known, and what is of another kind than wanted, is refused. */
final class Json {

    private static final int MOST_IN_A_BATCH = 100;

    /** A hundred requests with fifty fields each have less; more are made to take time. */
    private static final long MOST_TOKENS = 30_000;

    private final JsonMapper mapper = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxTokenCount(MOST_TOKENS)
                            .build())
                    .build())
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .withCoercionConfig(LogicalType.Textual, Json::onlyTexts)
            .build();

    /** The user 1.0 is not the user 1. */
    private static void onlyTexts(MutableCoercionConfig texts) {
        texts.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail);
    }

    /**
     * What a body asks.
     *
     * @param items one for each thing that is asked
     * @param isBatch whether the answer is a list
     */
    record Asked<T>(List<T> items, boolean isBatch) {}

    /**
     * Reads one thing, or a batch of them.
     *
     * @param batchField where a batch stands
     * @throws BadQuestionException if the body is neither
     */
    <T> Asked<T> read(byte[] body, String batchField, Class<T> type) {
        try {
            JsonNode tree = mapper.readTree(text(body));
            if (tree == null || !tree.isObject()) {
                throw new BadQuestionException("the body must be a JSON object");
            }
            JsonNode batch = tree.get(batchField);
            return batch == null
                    ? new Asked<>(List.of(mapper.treeToValue(tree, type)), false)
                    : new Asked<>(batch(tree, batch, batchField, type), true);
        } catch (JsonProcessingException e) {
            throw malformed(e);
        } catch (CharacterCodingException e) {
            throw new BadQuestionException("the body is not UTF-8");
        }
    }

    /** Nobody is to guess in what encoding a body is. */
    private static String text(byte[] body) throws CharacterCodingException {
        return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
    }

    private <T> List<T> batch(JsonNode tree, JsonNode batch, String field, Class<T> type) {
        if (tree.size() != 1 || !batch.isArray() || batch.isEmpty() || batch.size() > MOST_IN_A_BATCH) {
            throw new BadQuestionException(
                    "'" + field + "' must be a list of 1 to " + MOST_IN_A_BATCH + " objects, and the only field");
        }
        List<T> items = new ArrayList<>(batch.size());
        for (int i = 0; i < batch.size(); i++) {
            items.add(item(batch.get(i), field + "[" + i + "]", type));
        }
        return items;
    }

    private <T> T item(JsonNode item, String place, Class<T> type) {
        if (!item.isObject()) {
            throw new BadQuestionException(place + " is no object");
        }
        try {
            return mapper.treeToValue(item, type);
        } catch (JsonProcessingException e) {
            throw new BadQuestionException(place + ": " + malformed(e).getMessage());
        }
    }

    private static BadQuestionException malformed(JsonProcessingException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof BadQuestionException bad) {
                return bad;
            }
        }
        return new BadQuestionException("the body is not the JSON that is wanted: "
                + JsonProblem.of(failure).text());
    }

    /** Writes JSON. */
    interface Writing {
        void to(JsonGenerator json) throws IOException;
    }

    byte[] write(Writing writing) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(512);
        try (JsonGenerator json = mapper.getFactory().createGenerator(out)) {
            writing.to(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }
}
