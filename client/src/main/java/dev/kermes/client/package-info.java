/** The asynchronous Redis client. */
@NullMarked
package dev.kermes.client;

import org.jspecify.annotations.NullMarked;
