package io.ratelimit.server.web;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.CookieManager;
import java.net.HttpCookie;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;

/** Somebody with a browser without scripts: it keeps cookies, follows redirects and sends forms as they stand. */
final class Visitor {

    private final RunningService service;
    private final CookieManager cookies = new CookieManager();
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .cookieHandler(cookies)
            .followRedirects(HttpClient.Redirect.NORMAL)
            .build();

    Visitor(RunningService service) {
        this.service = service;
    }

    /** Somebody who has signed in with a token. */
    static Visitor signedIn(RunningService service, String token) {
        Visitor visitor = new Visitor(service);
        Page page =
                visitor.open("/sign-in").form("/sign-in").with("token", token).send();
        if (page.status() != 200) {
            throw new AssertionError(page);
        }
        return visitor;
    }

    List<HttpCookie> cookies() {
        return cookies.getCookieStore().getCookies();
    }

    Page open(String path) {
        return ask(request(path).GET());
    }

    /**
     * A request as a browser makes it when it loads a page. It has no timeout: the client of JDK 17 forgets to end that of
     * a request that was redirected, and closes the connection under a later one.
     */
    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(service.uri(path)).header("Accept", "text/html,application/xhtml+xml,*/*;q=0.8");
    }

    Page ask(HttpRequest.Builder request) {
        try {
            return new Page(this, client.send(request.build(), HttpResponse.BodyHandlers.ofString()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Sends fields as a form does. */
    Page post(String path, Map<String, String> fields) {
        return ask(request(path)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(body(fields)));
    }

    /** Sends fields as a form on a page of this session does. */
    Page submit(String path, Map<String, String> fields) {
        Map<String, String> all = new LinkedHashMap<>(fields);
        all.put("csrf", open("/").csrf());
        return post(path, all);
    }

    static HttpRequest.BodyPublisher body(Map<String, String> fields) {
        return HttpRequest.BodyPublishers.ofString(fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + encoded(field.getValue()))
                .collect(Collectors.joining("&")));
    }

    /** Browsers end lines with CR LF in forms, whatever they ended with in the page. */
    private static String encoded(String value) {
        String lines = value.replace("\r\n", "\n").replace("\n", "\r\n");
        return URLEncoder.encode(lines, StandardCharsets.UTF_8);
    }

    /** What has come back. */
    record Page(Visitor visitor, HttpResponse<String> response) {

        int status() {
            return response.statusCode();
        }

        /** The path and the query, after redirects. */
        String address() {
            return response.uri().toString().replaceFirst("^http://[^/]*", "");
        }

        String header(String name) {
            return response.headers().firstValue(name).orElse("");
        }

        String html() {
            return response.body();
        }

        Document document() {
            return Jsoup.parse(response.body());
        }

        /** What people read. */
        String text() {
            return document().body().text();
        }

        String csrf() {
            return document().select("input[name=csrf]").attr("value");
        }

        boolean hasForm(String action) {
            return !document().select("form[action=" + action + "]").isEmpty();
        }

        boolean links(String path) {
            return !document().select("a[href=" + path + "]").isEmpty();
        }

        /** What stands in a field. */
        String value(String field) {
            return valueOf(document().select("[name=" + field + "]").last());
        }

        /** The form that goes to an address; the empty one is the page's own. */
        Form form(String action) {
            String which = action.isEmpty() ? "main form:not([action])" : "form[action=" + action + "]";
            Element form = document().select(which).first();
            if (form == null) {
                throw new AssertionError("no form goes to " + action + ": " + this);
            }
            Map<String, String> fields = new LinkedHashMap<>();
            form.select("[name]").forEach(field -> fields.put(field.attr("name"), valueOf(field)));
            return new Form(this, action.isEmpty() ? address() : action, fields);
        }

        private static String valueOf(Element field) {
            return switch (field.tagName()) {
                case "textarea" -> field.wholeText().replace("\r\n", "\n").replaceFirst("^\n", "");
                case "select" -> field.select("option[selected]").attr("value");
                default -> field.attr("value");
            };
        }

        @Override
        public String toString() {
            return address() + " " + status() + " " + response.headers().map() + "\n" + html();
        }
    }

    /** A form that is filled in. */
    record Form(Page page, String action, Map<String, String> fields) {

        Form with(String field, String value) {
            if (!fields.containsKey(field)) {
                throw new AssertionError("the form has no field " + field + " but " + fields.keySet());
            }
            fields.put(field, value);
            return this;
        }

        Page send() {
            return sendTo(action);
        }

        /** As a button with an address of its own does. */
        Page sendTo(String otherAction) {
            return page.visitor().post(otherAction, fields);
        }
    }
}
