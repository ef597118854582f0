/** Glob patterns, and extended regular expressions in time linear in the text. */
@NullMarked
package dev.kermes.server.data.pattern;

import org.jspecify.annotations.NullMarked;
