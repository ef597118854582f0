/** Users with their passwords and permissions, and the log of denied commands. */
@NullMarked
package dev.kermes.server.acl;

import org.jspecify.annotations.NullMarked;
