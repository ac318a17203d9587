package io.ratelimit.server.traffic;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.common.base.Throwables;
import io.ratelimit.core.rules.Printable;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;

/**
 * Reads reports from JSON. Whatever is read is bounded: 1 MiB, the lengths of texts, the numbers of entries. Fields that
 * are not known are passed over, so that newer hosts can talk to an older service. Thread-safe.
 */
public final class HostReportReader {

    /** The most bytes of a report. */
    public static final int MOST_BYTES = 1 << 20;

    private static final int DEEPEST = 10;
    private static final int LONGEST_NUMBER = 40;
    private static final int LONGEST_FIELD_NAME = 4_096;
    private static final int LONGEST_MESSAGE = 300;

    private final ObjectReader reports;

    /** Makes a reader. */
    public HostReportReader() {
        JsonFactory factory = JsonFactory.builder()
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxDocumentLength(MOST_BYTES)
                        .maxNestingDepth(DEEPEST)
                        .maxNumberLength(LONGEST_NUMBER)
                        .maxNameLength(LONGEST_FIELD_NAME)
                        .build())
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .build();
        // What is absent is none; what stands among others is something.
        JsonSetter.Value absentIsEmpty = JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY, Nulls.FAIL);
        this.reports = JsonMapper.builder(factory)
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .enable(DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
                .withConfigOverride(List.class, config -> config.setSetterInfo(absentIsEmpty))
                .withConfigOverride(Map.class, config -> config.setSetterInfo(absentIsEmpty))
                .build()
                .readerFor(HostReport.class)
                .without(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION);
    }

    /**
     * Reads a report.
     *
     * @param json its JSON; not closed
     * @return the report
     * @throws IllegalArgumentException if it is no report; the message names the field and says what is wrong with it
     * @throws IOException if it cannot be read to its end
     */
    public HostReport read(InputStream json) throws IOException {
        try {
            HostReport report = reports.readValue(json);
            Checks.present("the report", report);
            return report;
        } catch (JsonMappingException e) {
            throw new IllegalArgumentException(described(placeOf(e), e), e);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(described("the report", e), e);
        }
    }

    /** Where it stands, such as {@code requests[3].at}; the path holds what a host wrote, and is escaped. */
    private static String placeOf(JsonMappingException problem) {
        StringBuilder place = new StringBuilder();
        for (JsonMappingException.Reference step : problem.getPath()) {
            if (step.getFieldName() == null) {
                place.append('[').append(step.getIndex()).append(']');
            } else {
                place.append(place.isEmpty() ? "" : ".").append(step.getFieldName());
            }
        }
        return place.isEmpty()
                ? "the report"
                : Printable.escaped(Printable.shortened(place.toString(), LONGEST_MESSAGE));
    }

    private static String described(String place, JsonProcessingException problem) {
        Throwable cause = Throwables.getRootCause(problem);
        String message = cause instanceof JsonProcessingException json
                ? json.getOriginalMessage()
                : String.valueOf(cause.getMessage());
        return place + ": " + Printable.escaped(Printable.shortened(message, LONGEST_MESSAGE));
    }
}
