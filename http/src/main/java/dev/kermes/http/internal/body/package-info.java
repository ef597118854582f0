/** Bodies of requests and responses between event loops and handlers. */
@NullMarked
package dev.kermes.http.internal.body;

import org.jspecify.annotations.NullMarked;
