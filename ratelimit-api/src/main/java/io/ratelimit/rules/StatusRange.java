package io.ratelimit.rules;

/**
 * Some HTTP statuses.
 *
 * @param first the first one, 100 to 599
 * @param last the last one, not less than the first, at most 599
 */
public record StatusRange(int first, int last) {

    private static final int LEAST = 100;
    private static final int MOST = 599;
    private static final int CLASS_SIZE = 100;

    /**
     * Checks the range.
     *
     * @throws IllegalArgumentException if it is empty, or reaches beyond the statuses of HTTP
     */
    public StatusRange {
        if (first < LEAST || last > MOST || first > last) {
            throw new IllegalArgumentException("an HTTP status is between " + LEAST + " and " + MOST + ", not "
                    + (first == last ? String.valueOf(first) : first + " to " + last));
        }
    }

    /**
     * One status.
     *
     * @param status 100 to 599
     * @return the range
     * @throws IllegalArgumentException if it is no HTTP status
     */
    public static StatusRange of(int status) {
        return new StatusRange(status, status);
    }

    /**
     * All statuses of a class.
     *
     * @param hundreds the first digit, 1 to 5
     * @return the range
     * @throws IllegalArgumentException if there is no such class
     */
    public static StatusRange ofClass(int hundreds) {
        return new StatusRange(hundreds * CLASS_SIZE, hundreds * CLASS_SIZE + CLASS_SIZE - 1);
    }

    /**
     * Whether a status is in the range.
     *
     * @param status an HTTP status
     * @return true if it is
     */
    public boolean contains(int status) {
        return first <= status && status <= last;
    }

    /** The range in the rules file's spelling, such as {@code 401} or {@code 5xx}. */
    @Override
    public String toString() {
        if (first == last) {
            return String.valueOf(first);
        }
        boolean isClass = first % CLASS_SIZE == 0 && last == first + CLASS_SIZE - 1;
        return isClass ? first / CLASS_SIZE + "xx" : first + "-" + last;
    }
}
