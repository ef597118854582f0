/** The connection of a client: AUTH, HELLO, SELECT, CLIENT. */
@NullMarked
package dev.kermes.server.command.client;

import org.jspecify.annotations.NullMarked;
