package io.ratelimit.server.console;

import com.google.common.net.UrlEscapers;
import io.ratelimit.server.audit.AuditEntry;
import java.util.List;

/**
 * Who did what.
 *
 * @param shell what stands around the page
 * @param service the service that is looked at, or empty for all
 * @param entries the newest ones, or those before others
 * @param isFirst whether there are no newer ones
 * @param hasOlder whether there are older ones
 */
record AuditPage(Shell shell, String service, List<AuditEntry> entries, boolean isFirst, boolean hasOlder)
        implements Page {

    @Override
    public String template() {
        return "audit.jte";
    }

    String olderAddress() {
        return newestAddress() + "&before=" + entries.get(entries.size() - 1).id();
    }

    String newestAddress() {
        return "/audit?service=" + UrlEscapers.urlFormParameterEscaper().escape(service);
    }

    /** What was done, in words; an action that has none yet is told as it is. */
    static String words(AuditEntry entry) {
        return switch (entry.action()) {
            case "publish" -> "published rules";
            case "restore" -> "restored earlier rules";
            case "retire" -> "took the service out";
            case "create-token" -> "gave out a token";
            case "revoke-token" -> "revoked a token";
            default -> entry.action();
        };
    }
}
