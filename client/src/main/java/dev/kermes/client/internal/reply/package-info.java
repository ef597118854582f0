/** Helpers of the decoders: checks of shapes, and fields by name. */
@NullMarked
package dev.kermes.client.internal.reply;

import org.jspecify.annotations.NullMarked;
