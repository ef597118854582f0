package dev.kermes.server.persistence;

/**
 * The position of the data in a sequence of writes, which RDB files record, so that after a restart
 * a master has to send only the rest.
 *
 * @param id the replication id, 40 hexadecimal digits
 * @param offset how many bytes of the stream of writes are in the data
 * @param database the selected database of the stream at that offset
 */
public record ReplicationPosition(String id, long offset, int database) {}
