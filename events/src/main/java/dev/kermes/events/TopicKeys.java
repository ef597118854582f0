package dev.kermes.events;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/**
 * The names of a topic's keys, and the partition of an event's key.
 *
 * <pre>
 *   {orders}:topic              hash: partitions
 *   {orders}:members:billing    sorted set: the members of a group, by their last sign of life
 *   {orders}:listeners          sorted set: the members that answer calls, by their last sign of life
 *   {orders:7}                  stream: the events of partition 7
 *   {orders:7}:later            sorted set: delayed events, by the time when they are due
 *   {orders:7}:schedules        hash: the next times of recurring events, by their keys
 *   {orders:7}:id:abc           string: the event that was emitted with the id abc; expires
 *   {orders:7}:billing          hash: owner, epoch, until, floor, next; never expires
 *   {orders:7}:billing:dead     stream: events that the group failed to handle
 *   {orders:7}:billing:starts   hash: how often events were begun by owners that have not ended them
 *   {orders:7}:billing:parked   sorted set: parked keys, by the time of the next attempt
 *   {orders:7}:billing:lane:42  list: the events of the parked key 42
 * </pre>
 *
 * All keys that one script changes have the same tag in braces, so they are in one slot.
 */
record TopicKeys(String topic, String group) {

  String settings() {
    return "{" + topic + "}:topic";
  }

  String members() {
    return "{" + topic + "}:members:" + group;
  }

  String listeners() {
    return "{" + topic + "}:listeners";
  }

  String stream(int partition) {
    return "{" + topic + ":" + partition + "}";
  }

  String later(int partition) {
    return stream(partition) + ":later";
  }

  String schedules(int partition) {
    return stream(partition) + ":schedules";
  }

  String emitted(int partition, String id) {
    return stream(partition) + ":id:" + id;
  }

  String owner(int partition) {
    return stream(partition) + ":" + group;
  }

  String dead(int partition) {
    return owner(partition) + ":dead";
  }

  String starts(int partition) {
    return owner(partition) + ":starts";
  }

  String parked(int partition) {
    return owner(partition) + ":parked";
  }

  /** The partition of a key: its CRC-32, which other languages compute as well. */
  static int partition(String key, int partitions) {
    CRC32 crc = new CRC32();
    crc.update(key.getBytes(StandardCharsets.UTF_8));
    return (int) (crc.getValue() % partitions);
  }

  /** The name if a group can have it: its hash must not be another key of a partition. */
  static String checkedGroup(String name) {
    if (name.equals("later") || name.equals("schedules")) {
      throw new IllegalArgumentException("reserved name: group=" + name);
    }
    return checked("group", name);
  }

  /**
   * The name if it can be part of a key.
   *
   * @throws IllegalArgumentException for an empty one, or one with a slash, a colon or braces
   */
  static String checked(String what, String name) {
    if (name.isEmpty() || name.chars().anyMatch(c -> "/:{}".indexOf(c) >= 0)) {
      throw new IllegalArgumentException("bad name: " + what + "=" + name);
    }
    return name;
  }
}
