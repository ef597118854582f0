package dev.kermes.server.data;

import java.util.List;

/**
 * The fields that were removed from a hash because they were due.
 *
 * @param seen how many fields were looked at for it
 */
public record ExpiredFields(List<byte[]> names, long seen) {}
