package dev.kermes.client.internal.connection;

import dev.kermes.client.RedisOptions;
import dev.kermes.client.internal.pending.CallbackBatch;
import dev.kermes.net.LendableLoop;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * Makes physical connections to one address. All connectors of a client share its event loop;
 * closing the first one ends the loop.
 */
public final class Connector implements AutoCloseable {
  private final RedisOptions options;
  private final Transports transports;
  private final EventLoop loop;
  private final Executor executor;
  private final Executor callbackExecutor;
  private final @Nullable SslContext tls;
  private final ConnectionReporter reporter;

  public Connector(RedisOptions options) {
    this.options = options;
    this.reporter = new ConnectionReporter(options);
    this.tls = options.usesTls() ? TlsContexts.of(options.tls()) : null;
    this.transports = Transports.reaching(options.address());
    this.loop = transports.loop();
    Executor chosen = options.executor();
    this.executor = chosen == null ? LendableLoop::onVirtualThread : new FallbackExecutor(chosen);
    LendableLoop lendable = transports.lendable();
    this.callbackExecutor = chosen == null && lendable != null ? lendable::deliver : executor;
  }

  private Connector(RedisOptions options, Connector first) {
    this.options = options;
    this.reporter = new ConnectionReporter(options);
    this.tls = first.tls;
    this.transports = first.transports;
    this.loop = first.loop;
    this.executor = first.executor;
    this.callbackExecutor = first.callbackExecutor;
  }

  /** A connector to another address of the same client. */
  public Connector to(RedisOptions other) {
    return new Connector(other, this);
  }

  /** Reports the state of its connections. */
  public ConnectionReporter reporter() {
    return reporter;
  }

  public EventLoop loop() {
    return loop;
  }

  /** The loop, if callers may run it. */
  public @Nullable LendableLoop lendable() {
    return transports.lendable();
  }

  public Executor executor() {
    return executor;
  }

  public CallbackBatch callbacks() {
    return new CallbackBatch(callbackExecutor);
  }

  public Backoff backoff() {
    SplittableRandom random = new SplittableRandom(new SecureRandom().nextLong());
    return new Backoff(options.backoffFirst(), options.backoffMax(), random);
  }

  /**
   * Connects. Either {@code handler} sees the channel become active, or {@code failed} is called.
   */
  void connect(ChannelHandler handler, Consumer<Throwable> failed) {
    ChannelFuture connecting =
        transports.bootstrap(options).handler(initializer(handler)).connect();
    connecting.addListener(done -> {
      Throwable cause = done.cause();
      if (cause != null) failed.accept(cause);
    });
  }

  private ChannelHandler initializer(ChannelHandler handler) {
    return new ChannelInitializer<Channel>() {
      @Override
      protected void initChannel(Channel channel) {
        if (tls != null) {
          channel.pipeline().addLast(tlsHandler(tls, channel));
        }
        channel.pipeline().addLast(handler);
      }
    };
  }

  private ChannelHandler tlsHandler(SslContext context, Channel channel) {
    SslHandler handler =
        options.address() instanceof InetSocketAddress internet
            ? context.newHandler(channel.alloc(), internet.getHostString(), internet.getPort())
            : context.newHandler(channel.alloc());
    handler.setHandshakeTimeoutMillis(0); // the connection's own timeout covers both handshakes
    SSLParameters parameters = handler.engine().getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm(options.tls().verifiesHost() ? "HTTPS" : "");
    handler.engine().setSSLParameters(parameters);
    return handler;
  }

  @Override
  public void close() {
    transports.close();
  }
}
