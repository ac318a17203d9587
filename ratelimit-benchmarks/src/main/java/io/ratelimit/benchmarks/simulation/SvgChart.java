package io.ratelimit.benchmarks.simulation;

import com.google.common.html.HtmlEscapers;
import java.util.List;
import java.util.Locale;

/** Lines over a logarithmic or linear plane, as a picture that is readable on light and on dark pages. Immutable. */
final class SvgChart {

    private static final int WIDTH = 720;
    private static final int HEIGHT = 400;
    private static final int LEFT = 70;
    private static final int RIGHT = 190;
    private static final int TOP = 40;
    private static final int BOTTOM = 50;
    private static final int LEGEND_LINE = 20;
    private static final String STYLE = "text{font:13px sans-serif;fill:#333}.title{font-weight:bold}"
            + ".grid{stroke:#999;stroke-opacity:.3}.line{fill:none;stroke-width:2}.dashed{stroke-dasharray:6 4}"
            + "@media(prefers-color-scheme:dark){text{fill:#ddd}}";

    private final String title;
    private final Axis across;
    private final Axis up;
    private final List<Line> lines;

    /** What a line looks like: the same for the same thing in each chart, on white and on black. */
    enum Colour {
        BLUE("#2f81f7"),
        ORANGE("#d9730d"),
        GREY("#8b949e");

        private final String code;

        Colour(String code) {
            this.code = code;
        }
    }

    /** A place on the plane. */
    record Point(double across, double up) {}

    /** A line, such as of one topology. */
    record Line(String name, Colour colour, boolean isDashed, List<Point> points) {

        Line {
            points = List.copyOf(points);
        }

        private Line onlyOn(Axis across, Axis up) {
            List<Point> shown = points.stream()
                    .filter(point -> across.has(point.across()) && up.has(point.up()))
                    .toList();
            return new Line(name, colour, isDashed, shown);
        }
    }

    /** Draws lines; what the axes do not have is left out. */
    SvgChart(String title, Axis across, Axis up, List<Line> lines) {
        this.title = title;
        this.across = across;
        this.up = up;
        this.lines = lines.stream()
                .map(line -> line.onlyOn(across, up))
                .filter(line -> !line.points().isEmpty())
                .toList();
    }

    String toSvg() {
        StringBuilder svg = new StringBuilder();
        svg.append(format(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\">\n",
                WIDTH, HEIGHT, WIDTH, HEIGHT));
        svg.append("<title>")
                .append(escaped(title))
                .append("</title>\n<style>")
                .append(STYLE)
                .append("</style>\n");
        text(svg, LEFT, 20, "start", "title", title);
        addGrid(svg);
        for (int i = 0; i < lines.size(); i++) {
            addLine(svg, lines.get(i));
            addToLegend(svg, lines.get(i), i);
        }
        return svg.append("</svg>\n").toString();
    }

    private void addGrid(StringBuilder svg) {
        for (double tick : across.ticks()) {
            rule(svg, x(tick), TOP, x(tick), HEIGHT - BOTTOM);
            text(svg, x(tick), HEIGHT - BOTTOM + 18, "middle", "", Axis.written(tick));
        }
        for (double tick : up.ticks()) {
            rule(svg, LEFT, y(tick), WIDTH - RIGHT, y(tick));
            text(svg, LEFT - 6, y(tick) + 4, "end", "", Axis.written(tick));
        }
        text(svg, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 10, "middle", "", across.title());
        svg.append(format(
                "<text transform=\"translate(14 %d) rotate(-90)\" text-anchor=\"middle\">%s</text>\n",
                (TOP + HEIGHT - BOTTOM) / 2, escaped(up.title())));
    }

    private void addLine(StringBuilder svg, Line line) {
        StringBuilder way = new StringBuilder();
        for (Point point : line.points()) {
            way.append(format("%s%.1f %.1f", way.length() == 0 ? "M" : "L", x(point.across()), y(point.up())));
        }
        svg.append(path(line, way.toString()));
        for (Point point : line.points()) {
            svg.append(format(
                    "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n",
                    x(point.across()), y(point.up()), line.colour().code));
        }
    }

    private void addToLegend(StringBuilder svg, Line line, int place) {
        int height = TOP + 10 + place * LEGEND_LINE;
        int left = WIDTH - RIGHT + 15;
        svg.append(path(line, format("M%d %dL%d %d", left, height, left + 28, height)));
        text(svg, left + 34, height + 4, "start", "", line.name());
    }

    private static String path(Line line, String way) {
        return format(
                "<path class=\"line%s\" stroke=\"%s\" d=\"%s\"/>\n",
                line.isDashed() ? " dashed" : "", line.colour().code, way);
    }

    private static void rule(StringBuilder svg, double x1, double y1, double x2, double y2) {
        svg.append(format("<line class=\"grid\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", x1, y1, x2, y2));
    }

    private static void text(StringBuilder svg, double x, double y, String anchor, String style, String words) {
        svg.append(format(
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"%s>%s</text>\n",
                x, y, anchor, style.isEmpty() ? "" : " class=\"" + style + '"', escaped(words)));
    }

    private double x(double value) {
        return LEFT + across.part(value) * (WIDTH - LEFT - RIGHT);
    }

    private double y(double value) {
        return HEIGHT - BOTTOM - up.part(value) * (HEIGHT - TOP - BOTTOM);
    }

    private static String escaped(String words) {
        return HtmlEscapers.htmlEscaper().escape(words);
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
