package dev.kermes.client.reply;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A refused command or login, as reported by ACL LOG.
 *
 * @param count how often it happened
 * @param reason command, key, channel or auth
 * @param context toplevel, multi, lua or module
 * @param object the refused object: the command, key or channel, or AUTH
 * @param age the time since it last happened
 * @param id null before Redis 7.2
 * @param created when it first happened; null before Redis 7.2
 * @param updated when it last happened; null before Redis 7.2
 */
public record AclLogEntry(
    long count,
    String reason,
    String context,
    String object,
    String username,
    Duration age,
    String clientInfo,
    @Nullable Long id,
    @Nullable Instant created,
    @Nullable Instant updated) {}
