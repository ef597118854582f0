package dev.kermes.server.migrate;

import java.util.List;

/**
 * A server that takes keys over, and as who.
 *
 * @param credentials password, or user and password, as AUTH takes them; empty for nobody
 */
public record Target(String host, int port, List<String> credentials) {}
