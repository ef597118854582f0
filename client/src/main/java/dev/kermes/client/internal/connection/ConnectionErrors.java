package dev.kermes.client.internal.connection;

import dev.kermes.client.ClientClosedException;
import dev.kermes.client.CommandTimeoutException;
import dev.kermes.client.ConnectionLostException;
import dev.kermes.client.QueueFullException;
import dev.kermes.client.RedisException;
import dev.kermes.client.RedisOptions;
import dev.kermes.client.internal.address.AddressText;
import dev.kermes.client.internal.pending.PendingCommand;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Creates the exceptions of one connection's commands. It knows the cause of the last loss, which
 * every message about a missing connection quotes. The event loop writes; any thread reads.
 */
final class ConnectionErrors {
  private final RedisOptions options;
  private @Nullable Throwable lossCause;

  /** Whether the connection is closed because it was lost; written before it is closed. */
  private boolean isLostForGood;

  ConnectionErrors(RedisOptions options) {
    this.options = options;
  }

  @Nullable Throwable lossCause() {
    return lossCause;
  }

  void setLossCause(@Nullable Throwable cause) {
    lossCause = cause;
  }

  /** Notes the cause of a loss; of a ready connection the first cause counts. */
  void noteLossCause(Throwable cause, boolean isReady) {
    if (!isReady || lossCause == null) lossCause = cause;
  }

  /** Makes {@link #closed} tell the loss, because the connection ends with it. */
  void setLostForGood() {
    isLostForGood = true;
  }

  /** Whether the last attempt to connect failed because of TLS. */
  boolean isTlsRefused() {
    return lossCause instanceof SSLException;
  }

  /** The command failed because the connection is closed. */
  RedisException closed() {
    return isLostForGood
        ? notConnected()
        : new ClientClosedException(
            "client closed: address=" + AddressText.of(options.address()), null);
  }

  /** The command was written and its reply is lost. */
  ConnectionLostException lost() {
    return new ConnectionLostException(
        "connection lost: address=" + AddressText.of(options.address()) + because(),
        true,
        lossCause);
  }

  /** The command was not written because there is no connection. */
  ConnectionLostException notConnected() {
    String what = isTlsRefused() && options.usesTls() ? "no TLS connection" : "not connected";
    return new ConnectionLostException(
        what + ": address=" + AddressText.of(options.address()) + because(), false, lossCause);
  }

  QueueFullException queueFull() {
    return new QueueFullException(
        "queue full: queueMax="
            + options.queueMax()
            + ", address="
            + AddressText.of(options.address()),
        null);
  }

  /** The caller waited for queue permits until its deadline. */
  CommandTimeoutException noPermitsInTime(PendingCommand pending) {
    String message =
        "no free queue permit in time: " + pending + ", queueMax=" + options.queueMax();
    return new CommandTimeoutException(message + inTime(pending), false, lossCause);
  }

  /** The deadline passed; {@code isSent}: after the command was written. */
  CommandTimeoutException late(PendingCommand pending, boolean isSent, boolean isReady) {
    String what =
        isSent ? "no reply in time: " : isReady ? "not sent in time: " : "not connected: ";
    return CommandTimeoutException.withoutStackTrace(
        what + pending + inTime(pending), isSent, lossCause);
  }

  private String inTime(PendingCommand pending) {
    long millis = TimeUnit.NANOSECONDS.toMillis(pending.timeoutNanos);
    return ", timeout=" + millis + " ms, address=" + AddressText.of(options.address()) + because();
  }

  private String because() {
    Throwable cause = lossCause;
    return cause == null ? "" : ", cause=" + cause.getMessage();
  }
}
