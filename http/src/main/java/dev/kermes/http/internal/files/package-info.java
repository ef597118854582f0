/** Static files: cache, ranges, preconditions, directory listings. */
@NullMarked
package dev.kermes.http.internal.files;

import org.jspecify.annotations.NullMarked;
