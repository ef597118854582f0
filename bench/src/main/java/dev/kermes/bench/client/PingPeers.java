package dev.kermes.bench.client;

import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.redisson.Redisson;
import org.redisson.api.RFuture;
import org.redisson.api.RedissonClient;
import org.redisson.api.redisnode.RedisNodeAsync;
import org.redisson.api.redisnode.RedisNodes;
import org.redisson.config.Config;
import redis.clients.jedis.BuilderFactory;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.CommandObject;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.Response;

/** Other clients, each in the form that its documentation shows. */
final class PingPeers {

  private PingPeers() {}

  static final class JedisPipeline implements PingClient {
    /** Jedis's pipelines have no method for PING. */
    private static final CommandObject<String> PING =
        new CommandObject<>(new CommandArguments(Protocol.Command.PING), BuilderFactory.STRING);

    private final Jedis jedis;

    JedisPipeline(InetSocketAddress server) {
      jedis = new Jedis(server.getAddress().getHostAddress(), server.getPort());
    }

    @Override
    public void round() {
      List<Response<String>> replies = new ArrayList<>(COUNT);
      try (Pipeline pipeline = jedis.pipelined()) {
        for (int i = 0; i < COUNT; i++) replies.add(pipeline.executeCommand(PING));
        pipeline.sync();
      }
      for (Response<String> reply : replies) PingClient.check(reply.get());
    }

    @Override
    public void close() {
      jedis.close();
    }
  }

  static final class Lettuce implements PingClient {
    private final io.lettuce.core.RedisClient client;
    private final StatefulRedisConnection<String, String> connection;
    private final boolean flushesByItself;

    Lettuce(InetSocketAddress server, boolean flushesByItself) {
      client = io.lettuce.core.RedisClient.create(RedisURI.create(PingClients.url(server)));
      connection = client.connect();
      connection.setAutoFlushCommands(flushesByItself);
      this.flushesByItself = flushesByItself;
    }

    @Override
    public void round() throws Exception {
      List<RedisFuture<String>> replies = new ArrayList<>(COUNT);
      for (int i = 0; i < COUNT; i++) replies.add(connection.async().ping());
      if (!flushesByItself) connection.flushCommands();
      for (RedisFuture<String> reply : Collections.unmodifiableList(replies)) {
        PingClient.check(reply.get());
      }
    }

    @Override
    public void close() {
      connection.setAutoFlushCommands(true);
      connection.close();
      client.shutdown();
    }
  }

  /** Redisson's PINGs are for one node and return true. */
  static final class OverRedisson implements PingClient {
    private final RedissonClient client;
    private final RedisNodeAsync node;

    OverRedisson(InetSocketAddress server) {
      Config config = new Config();
      config.useSingleServer().setAddress(PingClients.url(server));
      client = Redisson.create(config);
      node = client.getRedisNodes(RedisNodes.SINGLE).getInstance();
    }

    @Override
    public void round() {
      List<RFuture<Boolean>> replies = new ArrayList<>(COUNT);
      for (int i = 0; i < COUNT; i++) replies.add(node.pingAsync());
      for (RFuture<Boolean> reply : replies) {
        if (!reply.toCompletableFuture().join()) throw new IllegalStateException("no PONG");
      }
    }

    @Override
    public void close() {
      client.shutdown();
    }
  }
}
