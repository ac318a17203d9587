package io.ratelimit.server.listen;

import com.google.common.base.Throwables;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;

/**
 * What a server says that cannot listen, or cannot start.
 *
 * @param place where it was to listen
 */
public record StartFailures(Listening place) {

    /**
     * Why it is not possible to listen.
     *
     * @param failure what was thrown
     * @return what to say
     */
    public ServerStartException cannotListen(IOException failure) {
        return new ServerStartException(whyDeaf(failure), failure);
    }

    private String whyDeaf(IOException failure) {
        String words = "cannot listen on " + place.host() + " port " + place.port();
        InetSocketAddress address = new InetSocketAddress(place.host(), place.port());
        if (address.isUnresolved()) {
            return words + ": there is no such host; give --host an address of this machine";
        }
        return isHere(address.getAddress())
                ? words + " (" + Throwables.getRootCause(failure).getMessage() + "): stop what listens there, or give "
                        + place.flag() + " another"
                : words + ": this machine does not have that address; give --host one that it has, or 0.0.0.0 for all";
    }

    private static boolean isHere(InetAddress address) {
        try {
            return address.isAnyLocalAddress()
                    || address.isLoopbackAddress()
                    || NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException e) {
            return true;
        }
    }

    /**
     * Why a server did not start.
     *
     * @param failure what was thrown
     * @return what to say
     */
    public ServerStartException cannotStart(Exception failure) {
        return new ServerStartException(whyNot(failure), failure);
    }

    private String whyNot(Exception failure) {
        TlsSettings tls = place.tls();
        return tls != null && failure instanceof IOException
                ? "the keys in " + tls.keyStore() + " cannot be read (" + failure
                        + "): give a PKCS #12 file, and its password as RATELIMIT_TLS_PASSWORD"
                        + (tls.password().isEmpty() ? ", which is not set" : "")
                : "the server cannot be started: " + failure.getMessage();
    }
}
