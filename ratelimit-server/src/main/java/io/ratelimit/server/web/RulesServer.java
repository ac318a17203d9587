package io.ratelimit.server.web;

import io.ratelimit.TimeSource;
import io.ratelimit.server.access.NewToken;
import io.ratelimit.server.access.Sessions;
import io.ratelimit.server.access.Tokens;
import io.ratelimit.server.api.AuditResource;
import io.ratelimit.server.api.BearerAuthentication;
import io.ratelimit.server.api.CheckResource;
import io.ratelimit.server.api.DiffResource;
import io.ratelimit.server.api.EventStreams;
import io.ratelimit.server.api.EventsResource;
import io.ratelimit.server.api.ExplainResource;
import io.ratelimit.server.api.HealthResource;
import io.ratelimit.server.api.JsonMapping;
import io.ratelimit.server.api.OpenApiResource;
import io.ratelimit.server.api.Problems;
import io.ratelimit.server.api.ReplayResource;
import io.ratelimit.server.api.ReportsResource;
import io.ratelimit.server.api.RuleResource;
import io.ratelimit.server.api.RulesResource;
import io.ratelimit.server.api.ServicesResource;
import io.ratelimit.server.api.TokensResource;
import io.ratelimit.server.api.TrafficResource;
import io.ratelimit.server.api.VersionsResource;
import io.ratelimit.server.audit.AuditLog;
import io.ratelimit.server.console.Assets;
import io.ratelimit.server.console.AuditPageResource;
import io.ratelimit.server.console.EditorResource;
import io.ratelimit.server.console.ErrorPages;
import io.ratelimit.server.console.ExplainPageResource;
import io.ratelimit.server.console.HistoryResource;
import io.ratelimit.server.console.NewServiceResource;
import io.ratelimit.server.console.PageWriter;
import io.ratelimit.server.console.Proposals;
import io.ratelimit.server.console.ReplayPageResource;
import io.ratelimit.server.console.RuleFormResource;
import io.ratelimit.server.console.RulesPageResource;
import io.ratelimit.server.console.ServicesPageResource;
import io.ratelimit.server.console.SessionAuthentication;
import io.ratelimit.server.console.SignInResource;
import io.ratelimit.server.console.TokensPageResource;
import io.ratelimit.server.console.TrafficPageResource;
import io.ratelimit.server.database.Database;
import io.ratelimit.server.listen.ServerStartException;
import io.ratelimit.server.publish.ChangeWatch;
import io.ratelimit.server.publish.Changes;
import io.ratelimit.server.publish.KnownRules;
import io.ratelimit.server.publish.Publisher;
import io.ratelimit.server.rules.RuleSets;
import io.ratelimit.server.traffic.Traffic;
import io.ratelimit.server.trial.RulesTrial;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.function.Consumer;
import org.glassfish.jersey.jackson.JacksonFeature;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.server.ServerProperties;

/** The rules service, running. */
public final class RulesServer implements AutoCloseable {

    /** What hosts tell may take this part of the heap. */
    private static final int MEMORY_OF_TRAFFIC = 4;

    private static final Duration FORGETTING = Duration.ofMinutes(1);

    private final Database database;
    private final ServiceThreads threads;
    private final ServiceMeters meters;
    private final EventStreams streams;
    private final WebServer web;

    private RulesServer(
            Database database, ServiceThreads threads, ServiceMeters meters, EventStreams streams, WebServer web) {
        this.database = database;
        this.threads = threads;
        this.meters = meters;
        this.streams = streams;
        this.web = web;
    }

    /**
     * Starts the service. A start that fails gives out no token.
     *
     * @param settings what it is started with
     * @param adminToken takes the admin's token that this start gives out, if any, as soon as it is stored: it is told
     *     this once
     * @return the service, which answers
     * @throws IllegalArgumentException if a proxy or the secret chosen for the first token is none
     * @throws io.ratelimit.server.database.DatabaseStartException if the database cannot be used
     * @throws ServerStartException if it cannot listen
     */
    public static RulesServer start(ServerSettings settings, Consumer<NewToken> adminToken) {
        Database database = Database.open(settings.database());
        ServiceThreads threads = new ServiceThreads();
        ServiceMeters meters = new ServiceMeters();
        try {
            Clock clock = Clock.systemUTC();
            AuditLog audit = new AuditLog(database, clock);
            RuleSets ruleSets = new RuleSets(database, audit, clock);
            Tokens tokens = new Tokens(database, audit, clock);
            Sessions sessions = new Sessions(database, tokens, clock);
            Assets assets = Assets.load();
            ErrorPages errors = new ErrorPages(assets, sessions);
            KnownRules known = new KnownRules(ruleSets);
            Traffic traffic =
                    new Traffic(TimeSource.system(), Runtime.getRuntime().maxMemory() / MEMORY_OF_TRAFFIC);
            Changes changes = new Changes();
            Publisher publisher = new Publisher(ruleSets, changes);
            Proposals proposals = new Proposals(ruleSets, publisher, known);
            RulesTrial trial = new RulesTrial(clock);
            EventStreams streams = new EventStreams(tokens, threads.sending(), clock);
            changes.listen(streams::published);
            meters.gauge("ratelimit.service.listeners", "Hosts that listen for publications", streams::count);
            ResourceConfig application = new ResourceConfig()
                    .property(ServerProperties.WADL_FEATURE_DISABLE, true)
                    // Behind a proxy, the URL that this process sees is not the one that a browser asked for.
                    .property(ServerProperties.LOCATION_HEADER_RELATIVE_URI_RESOLUTION_DISABLED, true)
                    .property(ServerProperties.RESPONSE_SET_STATUS_OVER_SEND_ERROR, true)
                    .register(JacksonFeature.withoutExceptionMappers())
                    .register(new JsonMapping())
                    .register(new Problems())
                    .register(new SecurityHeaders(settings.isSecure()))
                    .register(meters)
                    .register(new MetricsResource(meters))
                    .register(new BearerAuthentication(tokens))
                    .register(new SessionAuthentication(sessions, errors))
                    .register(new FailuresAsPages(errors))
                    .register(new PageWriter())
                    .register(assets)
                    .register(new SignInResource(tokens, sessions, assets, settings.isSecure()))
                    .register(new ServicesPageResource(ruleSets, assets))
                    .register(new ExplainPageResource(ruleSets, known, publisher, trial, assets))
                    .register(new ReplayPageResource(ruleSets, known, publisher, traffic, assets))
                    .register(new TrafficPageResource(ruleSets, traffic, assets))
                    .register(new TokensPageResource(tokens, ruleSets, clock, assets))
                    .register(new AuditPageResource(audit, assets))
                    .register(new NewServiceResource(ruleSets, assets))
                    .register(new RulesPageResource(ruleSets, known, assets))
                    .register(new EditorResource(ruleSets, proposals, assets))
                    .register(new RuleFormResource(ruleSets, proposals, assets))
                    .register(new HistoryResource(ruleSets, known, proposals, assets))
                    .register(new HealthResource(ruleSets))
                    .register(new OpenApiResource())
                    .register(new ServicesResource(ruleSets))
                    .register(new RulesResource(ruleSets, publisher, traffic))
                    .register(new ReportsResource(ruleSets, traffic))
                    .register(new TrafficResource(ruleSets, traffic))
                    .register(new ReplayResource(ruleSets, known, publisher, traffic))
                    .register(new RuleResource(ruleSets, publisher))
                    .register(new VersionsResource(ruleSets, publisher))
                    .register(new DiffResource(ruleSets))
                    .register(new CheckResource())
                    .register(new ExplainResource(ruleSets, publisher, trial))
                    .register(new EventsResource(ruleSets, streams))
                    .register(new TokensResource(tokens, ruleSets))
                    .register(new AuditResource(audit));
            WebServer web = WebServer.prepare(settings, application, meters.ownLimits());
            try {
                new AdminAccess(tokens, settings).atStart().ifPresent(adminToken);
                web.serve();
            } catch (RuntimeException e) {
                web.close();
                throw e;
            }
            threads.repeat(ServiceThreads.WATCH, new ChangeWatch(ruleSets, changes));
            threads.repeat(FORGETTING, traffic::forgetOld);
            threads.repeat(EventStreams.BETWEEN_SIGNS_OF_LIFE, streams::keepAlive);
            return new RulesServer(database, threads, meters, streams, web);
        } catch (RuntimeException e) {
            threads.close();
            meters.close();
            database.close();
            throw e;
        }
    }

    /**
     * Where the service answers.
     *
     * @return its URL without a path
     */
    public URI uri() {
        return web.uri();
    }

    /** Ends what is under way, within two seconds, and lets port, threads and database go. */
    @Override
    public void close() {
        streams.close();
        web.close();
        threads.close();
        meters.close();
        database.close();
    }
}
