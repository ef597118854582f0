/** Hashes, and the expiry of their fields. */
@NullMarked
package dev.kermes.server.command.hash;

import org.jspecify.annotations.NullMarked;
