package io.ratelimit.benchmarks;

/**
 * What a table of clients takes for each client, its key included.
 *
 * @param table the table's name
 * @param clients how many clients it was measured with
 * @param heapBytes growth of the used heap, after collections, for each client
 * @param growingBytes the most that this was on the way there, from half of the clients on
 * @param objectBytes the sizes of all objects that only the table holds, for each client
 */
record Footprint(String table, int clients, double heapBytes, double growingBytes, double objectBytes) {}
