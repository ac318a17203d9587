package io.ratelimit.server.command;

import io.ratelimit.server.access.NewToken;
import io.ratelimit.server.database.DatabaseSettings;
import io.ratelimit.server.database.DatabaseStartException;
import io.ratelimit.server.listen.ServerStartException;
import io.ratelimit.server.web.RulesServer;
import io.ratelimit.server.web.ServerSettings;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs the rules service until the process is told to end. */
@Command(
        name = "rules",
        description = "Runs the rules service: its API, its console, and what hosts follow.",
        footer = {
            "",
            "Secrets come from the environment: RATELIMIT_DB_PASSWORD, RATELIMIT_TLS_PASSWORD, and, for the first start,"
                    + " RATELIMIT_ADMIN_TOKEN (rlt_ and at least 40 random letters and digits) where the first admin's"
                    + " token is not to be made and printed here."
        })
final class RulesServiceCommand implements Callable<Integer> {

    private static final String ADMIN_TOKEN = "RATELIMIT_ADMIN_TOKEN";

    private final Terminal terminal;
    private final Map<String, String> environment;

    @Option(
            names = "--db",
            paramLabel = "JDBC-URL",
            description = "the database, jdbc:postgresql:… or jdbc:h2:… (default: ${DEFAULT-VALUE}, a file of H2 here)")
    private String db = "jdbc:h2:file:./ratelimit-rules";

    @Option(names = "--db-user", paramLabel = "NAME", description = "the database's user, where the URL does not say")
    private @Nullable String dbUser;

    @Option(
            names = "--public-url",
            paramLabel = "URL",
            description = "where browsers find the service, where a proxy stands before it")
    private @Nullable URI publicUrl;

    @Option(
            names = "--trusted-proxies",
            paramLabel = "ADDRESS",
            split = ",",
            description = "proxies before the service, such as 10.0.0.0/8, whose X-Forwarded-For is believed")
    private List<String> trustedProxies = new ArrayList<>();

    @Option(
            names = "--new-admin-token",
            description =
                    "gives out and prints one more admin's token at each start with it, for whoever has lost theirs")
    private boolean newAdminToken;

    @Mixin
    private final ListenFlags listen;

    @Mixin
    private final LifeFlag life;

    /** Makes the command, with the process's environment, which has the secrets. */
    RulesServiceCommand(Terminal terminal, Map<String, String> environment) {
        this.terminal = terminal;
        this.environment = environment;
        this.listen = new ListenFlags(8600, environment);
        this.life = new LifeFlag(terminal);
    }

    @Override
    public Integer call() {
        Logging.ofService();
        ServerSettings settings = settings();
        RulesServer server = start(settings);
        Runtime.getRuntime().addShutdownHook(new Thread(server::close, "shutdown"));
        // A file here is another one elsewhere: whoever starts the service there would miss all rules.
        terminal.out().println("DATABASE " + settings.database().location());
        terminal.out().println("READY " + server.uri());
        terminal.out().flush();
        life.await();
        return 0;
    }

    private RulesServer start(ServerSettings settings) {
        try {
            return RulesServer.start(settings, this::show);
        } catch (IllegalArgumentException | DatabaseStartException | ServerStartException e) {
            throw new CommandException(String.valueOf(e.getMessage()), e);
        }
    }

    private void show(NewToken admin) {
        // Whoever has chosen a token knows it, and this output may be kept in a log.
        if (!admin.secret().equals(environment.get(ADMIN_TOKEN))) {
            terminal.out().println("ADMIN TOKEN " + admin.secret());
            terminal.out()
                    .println("It is shown this once: sign in with it at the console, and give out tokens to others"
                            + " there.");
            terminal.out().flush();
        }
    }

    private ServerSettings settings() {
        try {
            return new ServerSettings(
                    listen.listening(),
                    new DatabaseSettings(db, dbUser, environment.get("RATELIMIT_DB_PASSWORD")),
                    publicUrl,
                    trustedProxies,
                    environment.get(ADMIN_TOKEN),
                    newAdminToken);
        } catch (IllegalArgumentException e) {
            throw new CommandException(String.valueOf(e.getMessage()), e);
        }
    }
}
