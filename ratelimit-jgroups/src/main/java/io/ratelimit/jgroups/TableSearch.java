package io.ratelimit.jgroups;

import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.jgroups.protocols.Discovery;
import org.jgroups.protocols.JDBC_PING2;

/**
 * Hosts that write where they are into a table of a database.
 *
 * @param url of JDBC, with user and password in it; kept out of messages
 */
record TableSearch(String url) implements MemberSearch {

    @Override
    public Discovery protocol() {
        return new JDBC_PING2()
                .setConnectionUrl(url)
                .setConnectionDriver(driver().getClass().getName());
    }

    private Driver driver() {
        try {
            return DriverManager.getDriver(url);
        } catch (SQLException e) {
            throw new IllegalArgumentException("setting members names a database that there is no driver for: put its"
                    + " driver on the class path, or mend the URL of JDBC");
        }
    }

    @Override
    public String toString() {
        return "a table";
    }
}
