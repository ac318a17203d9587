package io.ratelimit.servlet;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Tests that run in a container of each kind, with an application that each of them completes and starts. */
abstract class InContainer {

    @TempDir
    Path directory;

    WebContainer container;
    WebApplication application;

    abstract WebContainer newContainer();

    @BeforeEach
    void prepareContainer() {
        container = newContainer();
        application = new WebApplication(directory);
    }

    @AfterEach
    void closeContainer() throws Exception {
        container.close();
    }
}
