package dev.kermes.events;

/**
 * Turns payloads into bytes and back. The name of the type is stored with the bytes, so that a
 * topic can have events of several types. {@link PayloadTypes} is the usual implementation. Any
 * thread.
 */
public interface PayloadCodec {

  /**
   * An encoded payload.
   *
   * @param type the name by which {@link #decode} recognises the bytes
   * @param bytes the payload; not copied
   */
  record Encoded(String type, byte[] bytes) {}

  /**
   * Encodes a payload.
   *
   * @throws IllegalArgumentException for a payload of an unknown type
   */
  Encoded encode(Object payload);

  /**
   * Decodes a payload. An exception sends the event to the dead letters, since no later attempt
   * would succeed with the same program.
   */
  Object decode(String type, byte[] bytes);
}
