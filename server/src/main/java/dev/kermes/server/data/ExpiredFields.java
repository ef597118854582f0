package dev.kermes.server.data;

import java.util.List;

/**
 * The fields that were removed from a hash because they were due.
 *
 * @param seen the number of fields that were examined
 */
public record ExpiredFields(List<byte[]> names, long seen) {}
