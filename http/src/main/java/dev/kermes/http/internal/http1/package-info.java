/** HTTP/1.0 and HTTP/1.1. */
@NullMarked
package dev.kermes.http.internal.http1;

import org.jspecify.annotations.NullMarked;
