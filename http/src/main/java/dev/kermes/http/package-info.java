/** The HTTP server: routes, handlers, responses, static files and WebSockets. */
@NullMarked
package dev.kermes.http;

import org.jspecify.annotations.NullMarked;
