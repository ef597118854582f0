package dev.kermes.net;

import io.netty.channel.Channel;
import io.netty.handler.ssl.SslHandler;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A channel's socket, to which Linux's {@code send} writes straight from an array of the heap.
 * Netty and the JDK copy an array to memory outside the heap before a system call may read it; a
 * GET of 1 MB took two fifths more CPU time with that copy.
 *
 * <p>Needs Java 22, whose foreign functions may be called with heap memory, and a JVM that allows
 * this module native access; reached by reflection, since Kermes runs on Java 21 as well. The JVM
 * collects no garbage during a call: callers send pieces.
 */
public final class HeapSocket {

  /** Linux's numbers: return at once, no signal if the peer has left, and wait for more bytes. */
  private static final int MSG_DONTWAIT = 0x40;

  private static final int MSG_NOSIGNAL = 0x4000;
  private static final int MSG_MORE = 0x8000;

  /** Linking takes tens of milliseconds, which no event loop waits for. */
  private static final CompletableFuture<Boolean> IS_LINKED =
      CompletableFuture.supplyAsync(() -> Native.SEND != null).exceptionally(failure -> false);

  private final int number;

  private HeapSocket(int number) {
    this.number = number;
  }

  /**
   * The socket of a channel; null if the channel has none, encrypts, or the JVM cannot do this or
   * is not ready to.
   */
  public static @Nullable HeapSocket of(Channel channel) {
    if (!IS_LINKED.getNow(false) || channel.pipeline().get(SslHandler.class) != null) return null;
    int number = Transport.socketNumber(channel);
    return number < 0 ? null : new HeapSocket(number);
  }

  /**
   * Sends bytes as far as the socket takes them now. The channel must be open and have nothing
   * queued. For the channel's event loop.
   *
   * @param hasMore whether more will be sent at once, so that the kernel may wait for it
   * @return the number of bytes, or -1 if the socket takes none or has failed
   */
  public int send(byte[] array, int offset, int length, boolean hasMore) {
    MethodHandle send = Native.SEND;
    if (send == null) return -1;
    int flags = MSG_DONTWAIT | MSG_NOSIGNAL | (hasMore ? MSG_MORE : 0);
    try {
      return (int) (long) send.invokeExact(number, array, (long) offset, (long) length, flags);
    } catch (Throwable e) {
      throw new IllegalStateException("send failed", e); // a native call throws nothing
    }
  }

  /** The system call. */
  private static final class Native {

    /** {@code long send(int socket, byte[] array, long offset, long length, int flags)} or null. */
    static final @Nullable MethodHandle SEND = find();

    private static @Nullable MethodHandle find() {
      if (!System.getProperty("os.name").equals("Linux")) return null;
      try {
        Method isAllowed = Module.class.getMethod("isNativeAccessEnabled");
        return (boolean) isAllowed.invoke(HeapSocket.class.getModule()) ? link() : null;
      } catch (ReflectiveOperationException e) {
        return null; // an older Java, or a native image
      }
    }

    private static MethodHandle link() throws ReflectiveOperationException {
      Class<?> linkers = foreign("Linker");
      Class<?> options = foreign("Linker$Option");
      Class<?> descriptors = foreign("FunctionDescriptor");
      Class<?> segments = foreign("MemorySegment");
      Class<?> layouts = foreign("MemoryLayout");
      Object linker = linkers.getMethod("nativeLinker").invoke(null);
      Object names = linkers.getMethod("defaultLookup").invoke(linker);
      Method find = foreign("SymbolLookup").getMethod("find", String.class);
      Object address = ((Optional<?>) find.invoke(names, "send")).orElseThrow();
      Object parameters = array(layouts, "JAVA_INT", "ADDRESS", "JAVA_LONG", "JAVA_INT");
      Object descriptor =
          descriptors
              .getMethod("of", layouts, parameters.getClass())
              .invoke(null, layout("JAVA_LONG"), parameters);
      Object critical = Array.newInstance(options, 1);
      Array.set(critical, 0, options.getMethod("critical", boolean.class).invoke(null, true));
      MethodHandle send =
          (MethodHandle)
              linkers
                  .getMethod("downcallHandle", segments, descriptors, critical.getClass())
                  .invoke(linker, address, descriptor, critical);
      return withArray(send, segments);
    }

    /** Makes the segment parameter an array and an offset. */
    private static MethodHandle withArray(MethodHandle send, Class<?> segments)
        throws ReflectiveOperationException {
      MethodHandles.Lookup lookup = MethodHandles.publicLookup();
      MethodHandle ofArray =
          lookup.findStatic(segments, "ofArray", MethodType.methodType(segments, byte[].class));
      MethodHandle asSlice =
          lookup.findVirtual(segments, "asSlice", MethodType.methodType(segments, long.class));
      MethodHandle part = MethodHandles.collectArguments(asSlice, 0, ofArray);
      return MethodHandles.collectArguments(send, 1, part);
    }

    private static Object array(Class<?> layouts, String... names)
        throws ReflectiveOperationException {
      Object array = Array.newInstance(layouts, names.length);
      for (int i = 0; i < names.length; i++) Array.set(array, i, layout(names[i]));
      return array;
    }

    private static Object layout(String name) throws ReflectiveOperationException {
      return foreign("ValueLayout").getField(name).get(null);
    }

    private static Class<?> foreign(String name) throws ClassNotFoundException {
      return Class.forName("java.lang.foreign." + name);
    }
  }
}
