/** JSON values for the client, by Jackson. */
@NullMarked
package dev.kermes.client.json;

import org.jspecify.annotations.NullMarked;
