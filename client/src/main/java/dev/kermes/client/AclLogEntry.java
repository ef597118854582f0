package dev.kermes.client;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A command or a login that was refused, as ACL LOG tells of it.
 *
 * @param count how often it happened
 * @param reason command, key, channel or auth
 * @param context toplevel, multi, lua or module
 * @param object what was refused: the command, key or channel, or AUTH
 * @param age since it happened last
 * @param id null before Redis 7.2
 * @param created when it happened first; null before Redis 7.2
 * @param updated when it happened last; null before Redis 7.2
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
