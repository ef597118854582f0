/** HTTP/2. */
@NullMarked
package dev.kermes.http.internal.http2;

import org.jspecify.annotations.NullMarked;
