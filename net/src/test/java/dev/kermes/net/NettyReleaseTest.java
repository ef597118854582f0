package dev.kermes.net;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class NettyReleaseTest {

  /** A class path on which Netty is too old. */
  private static final class WithoutHandlers extends ClassLoader {

    WithoutHandlers() {
      super(NettyReleaseTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.equals("io.netty.channel.IoHandlerFactory")) throw new ClassNotFoundException(name);
      return super.loadClass(name, resolve);
    }
  }

  @Test
  void require_currentNetty_passes() {
    assertThatCode(NettyRelease::require).doesNotThrowAnyException();
  }

  @Test
  void require_olderNetty_namesVersionAndFix() {
    assertThatThrownBy(() -> NettyRelease.require(new WithoutHandlers()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("Kermes needs Netty 4.2, found [")
        .hasMessageContaining("netty.version");
  }
}
