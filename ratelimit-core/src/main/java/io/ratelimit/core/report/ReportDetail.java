package io.ratelimit.core.report;

/** How much a host tells of its requests. */
public enum ReportDetail {
    /** What rules decide, the clients that are refused most, and requests of a share of the clients. */
    ALL,
    /** What rules decide, and nothing of any client. */
    COUNTS,
    /** There are no reports. */
    NOTHING;

    /**
     * Reads the setting {@code reports}.
     *
     * @param text its value
     * @return the detail
     * @throws IllegalArgumentException if it is something else; the message says what would be right
     */
    public static ReportDetail parse(String text) {
        return switch (text) {
            case "true" -> ALL;
            case "counts" -> COUNTS;
            case "false" -> NOTHING;
            default -> throw new IllegalArgumentException("it must be true, counts or false");
        };
    }
}
