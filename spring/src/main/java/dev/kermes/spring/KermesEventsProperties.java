package dev.kermes.spring;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code kermes.events}.
 *
 * @param enabled whether there are durable topics
 * @param group the application whose members share the events of a topic
 * @param member the name of this member, unique in the group; a random one by default
 * @param topics the topics whose events this application handles
 * @param answers the topics whose calls this application answers
 * @param partitions the number of partitions of a new topic
 * @param lease how long the partitions of a member that does not answer stay with it
 * @param window how many events of a partition are taken ahead of their acknowledgement
 * @param retention how long acknowledged events are kept
 * @param parking how long events whose handlers failed wait in Redis, with their keys
 */
@ConfigurationProperties("kermes.events")
public record KermesEventsProperties(
    @DefaultValue("true") boolean enabled,
    @Nullable String group,
    @Nullable String member,
    @DefaultValue List<String> topics,
    @DefaultValue List<String> answers,
    @Nullable Integer partitions,
    @Nullable Duration lease,
    @Nullable Integer window,
    @Nullable Duration retention,
    @Nullable Duration parking) {}
