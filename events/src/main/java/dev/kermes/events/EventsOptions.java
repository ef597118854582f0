package dev.kermes.events;

import java.time.Duration;

/**
 * The options of {@link RedisEvents.Builder}.
 *
 * @param group the application whose members share the events; empty for one that only emits
 * @param member the name of this member, unique in the group
 * @param partitions the number that the user asked for; 0 if any will do
 * @param lease how long a partition stays with a member that does not answer
 * @param window how many events of a partition are taken ahead of their acknowledgement
 * @param retention how long acknowledged events are kept
 * @param parking how long events whose handlers failed are tried again
 * @param startsMax how often an event may be begun whose owners do not end it
 * @param start where a new group begins: the first event that is kept, or the next one
 */
record EventsOptions(
    String group,
    String member,
    int partitions,
    Duration lease,
    int window,
    Duration retention,
    Parking parking,
    int startsMax,
    String start,
    PayloadCodec payloads) {

  /** How long a request of a member may take: the next one follows before the lease has passed. */
  Duration requestTimeout() {
    return lease.dividedBy(3);
  }
}
