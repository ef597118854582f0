/** Syntax of HTTP: header fields, dates, request targets, queries. Knows no other package. */
@NullMarked
package dev.kermes.http.internal.syntax;

import org.jspecify.annotations.NullMarked;
