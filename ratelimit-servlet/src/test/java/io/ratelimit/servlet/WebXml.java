package io.ratelimit.servlet;

import io.undertow.servlet.Servlets;
import io.undertow.servlet.api.DeploymentInfo;
import io.undertow.servlet.api.FilterInfo;
import io.undertow.servlet.api.ServletInfo;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.Servlet;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** What a {@code web.xml} says of filters, servlets, parameters and error pages, told to Undertow. */
final class WebXml {

    private final Element root;

    WebXml(Path file) throws Exception {
        root = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(file.toFile())
                .getDocumentElement();
    }

    void addTo(DeploymentInfo deployment) throws ReflectiveOperationException {
        for (Element param : children(root, "context-param")) {
            deployment.addInitParameter(text(param, "param-name"), text(param, "param-value"));
        }
        for (Element filter : children(root, "filter")) {
            deployment.addFilter(filter(filter, deployment.getClassLoader()));
        }
        for (Element mapping : children(root, "filter-mapping")) {
            for (DispatcherType dispatcher : dispatchers(mapping)) {
                deployment.addFilterUrlMapping(text(mapping, "filter-name"), text(mapping, "url-pattern"), dispatcher);
            }
        }
        addServlets(deployment);
        for (Element page : children(root, "error-page")) {
            deployment.addErrorPage(
                    Servlets.errorPage(text(page, "location"), Integer.parseInt(text(page, "error-code"))));
        }
    }

    private static FilterInfo filter(Element filter, ClassLoader classLoader) throws ReflectiveOperationException {
        FilterInfo info = Servlets.filter(
                text(filter, "filter-name"),
                classLoader.loadClass(text(filter, "filter-class")).asSubclass(Filter.class));
        for (Element param : children(filter, "init-param")) {
            info.addInitParam(text(param, "param-name"), text(param, "param-value"));
        }
        return info.setAsyncSupported(isAsyncSupported(filter));
    }

    private static List<DispatcherType> dispatchers(Element mapping) {
        List<DispatcherType> dispatchers = new ArrayList<>();
        for (Element dispatcher : children(mapping, "dispatcher")) {
            dispatchers.add(DispatcherType.valueOf(dispatcher.getTextContent()));
        }
        return dispatchers.isEmpty() ? List.of(DispatcherType.REQUEST) : dispatchers;
    }

    private void addServlets(DeploymentInfo deployment) throws ReflectiveOperationException {
        Map<String, ServletInfo> servlets = new HashMap<>();
        for (Element servlet : children(root, "servlet")) {
            String name = text(servlet, "servlet-name");
            Class<?> type = deployment.getClassLoader().loadClass(text(servlet, "servlet-class"));
            ServletInfo info = Servlets.servlet(name, type.asSubclass(Servlet.class));
            for (Element param : children(servlet, "init-param")) {
                info.addInitParam(text(param, "param-name"), text(param, "param-value"));
            }
            for (Element order : children(servlet, "load-on-startup")) {
                info.setLoadOnStartup(Integer.parseInt(order.getTextContent()));
            }
            servlets.put(name, info.setAsyncSupported(isAsyncSupported(servlet)));
        }
        for (Element mapping : children(root, "servlet-mapping")) {
            servlets.get(text(mapping, "servlet-name")).addMapping(text(mapping, "url-pattern"));
        }
        deployment.addServlets(servlets.values());
    }

    private static boolean isAsyncSupported(Element component) {
        return children(component, "async-supported").stream().anyMatch(e -> Boolean.parseBoolean(e.getTextContent()));
    }

    private static String text(Element parent, String name) {
        return children(parent, name).get(0).getTextContent();
    }

    private static List<Element> children(Element parent, String name) {
        List<Element> children = new ArrayList<>();
        NodeList nodes = parent.getChildNodes();
        for (int i = 0; i < nodes.getLength(); i++) {
            if (nodes.item(i) instanceof Element element && element.getTagName().equals(name)) {
                children.add(element);
            }
        }
        return children;
    }
}
