/** The HTTP server: routes by pattern, handlers, files. */
@NullMarked
package dev.kermes.http;

import org.jspecify.annotations.NullMarked;
