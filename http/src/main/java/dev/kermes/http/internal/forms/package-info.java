/** Forms of several parts. */
@NullMarked
package dev.kermes.http.internal.forms;

import org.jspecify.annotations.NullMarked;
