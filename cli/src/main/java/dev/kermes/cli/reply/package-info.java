/** Replies of a server, and the formats in which they are printed. */
@NullMarked
package dev.kermes.cli.reply;

import org.jspecify.annotations.NullMarked;
