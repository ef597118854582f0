package dev.kermes.bench.client;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Vert.x's client, one request at a time or as a batch. */
final class VertxPings implements PingClient {
  private final Vertx vertx = Vertx.vertx();
  private final Redis redis;
  private final RedisConnection connection;
  private final boolean asBatch;

  VertxPings(InetSocketAddress server, boolean asBatch) {
    redis =
        Redis.createClient(vertx, new RedisOptions().setConnectionString(PingClients.url(server)));
    connection = redis.connect().toCompletionStage().toCompletableFuture().join();
    this.asBatch = asBatch;
  }

  @Override
  public void round() {
    if (asBatch) {
      List<Request> pings = Collections.nCopies(COUNT, Request.cmd(Command.PING));
      for (Response reply : join(connection.batch(pings))) PingClient.check(String.valueOf(reply));
      return;
    }
    List<Future<Response>> replies = new ArrayList<>(COUNT);
    for (int i = 0; i < COUNT; i++) replies.add(connection.send(Request.cmd(Command.PING)));
    for (Future<Response> reply : replies) PingClient.check(String.valueOf(join(reply)));
  }

  private static <T> T join(Future<T> reply) {
    return reply.toCompletionStage().toCompletableFuture().join();
  }

  @Override
  public void close() {
    redis.close();
    join(vertx.close());
  }
}
