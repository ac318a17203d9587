package io.ratelimit.client;

import javax.net.ssl.SSLContext;

/** The HTTP clients that daemons are asked by. */
enum Client implements TransportFactory {
    JDK {
        @Override
        public Transport open(DaemonAddress address, SSLContext trusted, int mostCalls) {
            return new JdkTransport(address.text(), trusted);
        }
    },
    JETTY {
        @Override
        public Transport open(DaemonAddress address, SSLContext trusted, int mostCalls) {
            return new JettyTransport(address, trusted, mostCalls);
        }
    }
}
