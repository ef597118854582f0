package dev.kermes.server.migrate;

import java.util.List;

/**
 * A server that keys are moved to, and the user to log in as.
 *
 * @param credentials password, or user and password, as AUTH takes them; empty for no login
 */
public record Target(String host, int port, List<String> credentials) {}
