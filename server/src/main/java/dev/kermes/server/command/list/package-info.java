/** Lists, including the commands that wait for elements. */
@NullMarked
package dev.kermes.server.command.list;

import org.jspecify.annotations.NullMarked;
