package dev.kermes.events;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;

/**
 * A message of one member to another: a request or an answer. As bytes:
 *
 * <pre>
 *   request   1  id(8)  to owner(1)  within(8)  reply to, key, type, count(4), headers  payload
 *   answer    2  id(8)  end(1)  type  payload
 * </pre>
 *
 * Texts are those of {@link DataOutputStream#writeUTF}; the payload is the rest.
 */
sealed interface CallMessage {

  /** The number that the caller gave to the call. */
  long id();

  /**
   * A request.
   *
   * @param isToOwner whether only the owner of the key may handle it
   * @param withinMillis the time in which the caller wants the answer
   * @param replyTo the member that calls
   * @param key the key, with the topic
   */
  @SuppressWarnings("ArrayRecordComponent") // a message is its identity
  record Request(
      long id,
      boolean isToOwner,
      long withinMillis,
      String replyTo,
      String key,
      Map<String, String> headers,
      PayloadCodec.Encoded payload)
      implements CallMessage {}

  /**
   * An answer.
   *
   * @param payload the answer; of a failure the name of its class, and its message
   */
  record Answer(long id, End end, PayloadCodec.Encoded payload) implements CallMessage {}

  /** How a call has ended at its receiver; the names' order is part of the format. */
  enum End {
    ANSWERED,
    FAILED,
    NO_HANDLER,
    NOT_OWNER
  }

  /** Its bytes. */
  default byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      switch (this) {
        case Request request -> write(out, request);
        case Answer answer -> write(out, answer);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("not encoded", e); // a text of more than 65,535 bytes
    }
    return bytes.toByteArray();
  }

  private static void write(DataOutputStream out, Request request) throws IOException {
    out.writeByte(1);
    out.writeLong(request.id());
    out.writeBoolean(request.isToOwner());
    out.writeLong(request.withinMillis());
    out.writeUTF(request.replyTo());
    out.writeUTF(request.key());
    out.writeInt(request.headers().size());
    for (Map.Entry<String, String> header : request.headers().entrySet()) {
      out.writeUTF(header.getKey());
      out.writeUTF(header.getValue());
    }
    write(out, request.payload());
  }

  private static void write(DataOutputStream out, Answer answer) throws IOException {
    out.writeByte(2);
    out.writeLong(answer.id());
    out.writeByte(answer.end().ordinal());
    write(out, answer.payload());
  }

  private static void write(DataOutputStream out, PayloadCodec.Encoded payload) throws IOException {
    out.writeUTF(payload.type());
    out.write(payload.bytes());
  }

  /**
   * The message of these bytes.
   *
   * @throws IllegalArgumentException if they are none
   */
  static CallMessage decode(byte[] bytes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      return switch (in.readByte()) {
        case 1 -> request(in);
        case 2 -> new Answer(in.readLong(), end(in.readByte()), payload(in));
        default -> throw new IllegalArgumentException("unknown message: kind=" + bytes[0]);
      };
    } catch (IOException e) {
      throw new IllegalArgumentException("cut message: length=" + bytes.length, e);
    }
  }

  private static Request request(DataInputStream in) throws IOException {
    return new Request(
        in.readLong(),
        in.readBoolean(),
        in.readLong(),
        in.readUTF(),
        in.readUTF(),
        headers(in),
        payload(in));
  }

  private static Map<String, String> headers(DataInputStream in) throws IOException {
    Map<String, String> headers = new HashMap<>();
    for (int left = in.readInt(); left > 0; left--) headers.put(in.readUTF(), in.readUTF());
    return headers;
  }

  private static PayloadCodec.Encoded payload(DataInputStream in) throws IOException {
    return new PayloadCodec.Encoded(in.readUTF(), in.readAllBytes());
  }

  private static End end(int ordinal) {
    if (ordinal < 0 || ordinal >= End.values().length) {
      throw new IllegalArgumentException("unknown end: " + ordinal);
    }
    return End.values()[ordinal];
  }
}
