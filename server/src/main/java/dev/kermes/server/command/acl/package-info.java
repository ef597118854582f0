/** ACL: users and their rules. */
@NullMarked
package dev.kermes.server.command.acl;

import org.jspecify.annotations.NullMarked;
