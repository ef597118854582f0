/** Values that replies consist of, as records; two of them are arguments, too. */
@NullMarked
package dev.kermes.client.reply;

import org.jspecify.annotations.NullMarked;
