package io.ratelimit.sample.manual;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.http.HttpSettings;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.text.MessageFormat;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

/** The XML and the properties of the manual name what there is. */
class SettingsSnippetsTest {

    private static final Set<String> OF_OPERATORS = Set.of("role", "addresses");
    private static final Set<String> MESSAGES = Set.of("languages", "exceeded", "never", "busy", "unavailable");
    private static final String OF_SPRING = "server.servlet.context-parameters.ratelimit.";

    static List<Snippet> xml() throws IOException {
        return Manual.snippets("xml");
    }

    static List<Snippet> properties() throws IOException {
        return Manual.snippets("properties");
    }

    @ParameterizedTest
    @MethodSource("xml")
    void classesInitParamsAndModulesAreThere(Snippet snippet) throws Exception {
        Document document = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader("<root>" + snippet.text() + "</root>")));
        for (String element : List.of("filter-class", "servlet-class")) {
            for (String name : texts(document, element)) {
                assertThat(Class.forName(name).getConstructor())
                        .as("%s", snippet)
                        .isNotNull();
            }
        }
        boolean servlet = document.getElementsByTagName("servlet").getLength() > 0;
        assertThat(servlet ? OF_OPERATORS : settings()).as("%s", snippet).containsAll(texts(document, "param-name"));
        assertThat(texts(document, "artifactId"))
                .as("%s", snippet)
                .allMatch(module ->
                        Files.isRegularFile(Manual.ROOT.resolve(module).resolve("pom.xml")));
    }

    @ParameterizedTest
    @MethodSource("properties")
    void keysAreMessagesOrSettings(Snippet snippet) throws Exception {
        Properties properties = new Properties();
        properties.load(new StringReader(snippet.text()));
        assertThat(properties).as("%s", snippet).isNotEmpty();
        for (String key : properties.stringPropertyNames()) {
            if (key.startsWith(OF_SPRING)) {
                assertThat(settings()).as("%s", snippet).contains(key.substring(OF_SPRING.length()));
            } else {
                assertThat(MESSAGES).as("%s", snippet).contains(key);
                assertThat(new MessageFormat(properties.getProperty(key), Locale.ROOT))
                        .isNotNull();
            }
        }
    }

    /** What the filter knows with all stores on the class path. */
    private static Set<String> settings() {
        Set<String> names = new TreeSet<>(RateLimitEngine.builder().settingNames());
        names.addAll(HttpSettings.NAMES);
        names.add("lastFilter");
        return names;
    }

    private static List<String> texts(Document document, String element) {
        var found = document.getElementsByTagName(element);
        return IntStream.range(0, found.getLength())
                .mapToObj(i -> found.item(i).getTextContent())
                .toList();
    }
}
