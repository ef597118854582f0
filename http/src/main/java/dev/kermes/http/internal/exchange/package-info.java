/** A request and its response, independent of the protocol. */
@NullMarked
package dev.kermes.http.internal.exchange;

import org.jspecify.annotations.NullMarked;
