/** HyperLogLogs: PFADD, PFCOUNT, PFMERGE. */
@NullMarked
package dev.kermes.server.command.hyperloglog;

import org.jspecify.annotations.NullMarked;
