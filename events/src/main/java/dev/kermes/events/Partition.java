package dev.kermes.events;

/**
 * A partition that this member has acquired.
 *
 * @param epoch the fencing token: each owner's is greater than that of the one before
 */
record Partition(TopicKeys keys, int number, long epoch, Lease lease) {}
