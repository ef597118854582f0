/** The ordered log of the effects of commands. The append only file and replicas read it. */
@NullMarked
package dev.kermes.server.writelog;

import org.jspecify.annotations.NullMarked;
