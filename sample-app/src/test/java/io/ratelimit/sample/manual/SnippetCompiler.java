package io.ratelimit.sample.manual;

import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Compiles a snippet against the class path of the tests. A file that declares a type stays as it is; members are put into
 * a class, statements into a method, with the imports that the snippet begins with in front of it. What is added shares the
 * snippet's first line, so that its lines keep their numbers.
 */
final class SnippetCompiler implements AutoCloseable {

    private static final String HERE = SnippetCompiler.class.getPackageName();
    private static final Pattern FILE =
            Pattern.compile("^(?:public |final |abstract )*(?:class|record|interface|enum) ", Pattern.MULTILINE);
    private static final Pattern MEMBERS = Pattern.compile("^(?:@\\w|public |private )", Pattern.MULTILINE);
    private static final Pattern IMPORT = Pattern.compile("^import .*;$", Pattern.MULTILINE);
    private static final String LEFT_OUT = "throw new UnsupportedOperationException();";

    private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    private final StandardJavaFileManager files = compiler.getStandardFileManager(null, Locale.ROOT, null);

    /** What the compiler says against the snippet, each with its place; nothing if it is right. */
    List<String> problems(Snippet snippet) throws IOException {
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        JavacTask task = (JavacTask) compiler.getTask(
                null,
                files,
                found,
                List.of("--release", "17", "-proc:none", "-cp", System.getProperty("java.class.path")),
                null,
                List.of(new Source(complete(snippet.text()))));
        task.analyze();
        return found.getDiagnostics().stream()
                .filter(problem -> problem.getKind() == Diagnostic.Kind.ERROR)
                .map(problem -> snippet.place(problem.getLineNumber()) + " " + problem.getMessage(Locale.ROOT))
                .toList();
    }

    private static String complete(String text) {
        String whole = text.replace("{ … }", "{ " + LEFT_OUT + " }");
        if (whole.startsWith("package ")) {
            return whole;
        }
        String head = "package " + HERE + "; import " + HERE + ".TakenForGranted.*; ";
        if (FILE.matcher(whole).find()) {
            return head + whole;
        }
        StringBuilder imports = new StringBuilder("import io.ratelimit.*; import jakarta.ws.rs.*; ");
        IMPORT.matcher(whole).results().forEach(line -> imports.append(line.group()));
        String body = IMPORT.matcher(whole).replaceAll("");
        String type = "abstract class Fragment extends TakenForGranted { ";
        return MEMBERS.matcher(body).find()
                ? head + imports + type + body + "}"
                : head + imports + type + "void run() throws Exception { " + body + "}}";
    }

    @Override
    public void close() throws IOException {
        files.close();
    }

    /** Says that it has the right name, whatever is declared in it. */
    private static final class Source extends SimpleJavaFileObject {

        private final String text;

        Source(String text) {
            super(URI.create("string:///Snippet.java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public boolean isNameCompatible(String simpleName, Kind kind) {
            return true;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
