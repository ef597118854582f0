/** Addresses as text: parsing URLs, and the notation in messages. */
@NullMarked
package dev.kermes.client.internal.address;

import org.jspecify.annotations.NullMarked;
