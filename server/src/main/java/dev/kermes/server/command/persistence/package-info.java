/** SAVE, BGSAVE, BGREWRITEAOF. */
@NullMarked
package dev.kermes.server.command.persistence;

import org.jspecify.annotations.NullMarked;
