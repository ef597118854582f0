/** Finds the handler of a request; routes of annotated methods. */
@NullMarked
package dev.kermes.http.internal.routing;

import org.jspecify.annotations.NullMarked;
