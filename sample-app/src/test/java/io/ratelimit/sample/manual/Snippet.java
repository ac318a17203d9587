package io.ratelimit.sample.manual;

/**
 * A fenced block of the manual.
 *
 * @param page the page's path below the root of the project
 * @param line the page's line on which the text begins, from 1
 * @param language what the fence names
 * @param text what stands between the fences
 */
record Snippet(String page, int line, String language, String text) {

    /** The place of one of the text's lines, from 1, as editors read it. */
    String place(long lineOfText) {
        return page + ":" + (line + lineOfText - 1);
    }

    @Override
    public String toString() {
        return place(1);
    }
}
