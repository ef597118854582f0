/** Content negotiation: codings, content types, and errors as JSON or HTML. */
@NullMarked
package dev.kermes.http.internal.negotiation;

import org.jspecify.annotations.NullMarked;
