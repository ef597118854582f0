package dev.kermes.http;

import static dev.kermes.http.StandardHttpResponses.ok;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Requests that are malformed, ambiguous, or intended to smuggle another request past a proxy. Each
 * is refused once with the status of the RFC, and the connection is closed, so that the following
 * bytes are not read as a request.
 */
class MalformedRequestTest {

  record Case(String what, int status, String request) {
    @Override
    public String toString() {
      return what;
    }
  }

  private static final AtomicInteger SMUGGLED = new AtomicInteger();

  private static final HttpServer SERVER = new HttpServer(0);

  @BeforeAll
  static void start() {
    SERVER.on("/{path}**", request -> request.respond(ok(request.text())));
    SERVER.on(
        "/smuggled",
        request -> {
          SMUGGLED.incrementAndGet();
          request.respond(ok("smuggled"));
        });
    SERVER.start();
  }

  @AfterAll
  static void close() {
    SERVER.close();
  }

  private static final String SMUGGLE = "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n";

  static List<Case> cases() {
    List<Case> cases = new ArrayList<>();
    // RFC 9112, 3: the request line
    add(cases, "no version", 400, "GET /\r\nHost: x\r\n\r\n");
    add(cases, "version of two digits", 400, "GET / HTTP/1.10\r\nHost: x\r\n\r\n");
    add(cases, "HTTP/2 by text", 505, "GET / HTTP/2.0\r\nHost: x\r\n\r\n");
    add(cases, "HTTP/1.2", 505, "GET / HTTP/1.2\r\nHost: x\r\n\r\n");
    add(cases, "three blanks", 400, "GET / a HTTP/1.1\r\nHost: x\r\n\r\n");
    add(cases, "method no token", 400, "G(T / HTTP/1.1\r\nHost: x\r\n\r\n");
    add(cases, "empty method", 400, " / HTTP/1.1\r\nHost: x\r\n\r\n");
    add(cases, "target without slash", 400, "GET a HTTP/1.1\r\nHost: x\r\n\r\n");
    add(cases, "fragment in the target", 400, "GET /a#b HTTP/1.1\r\nHost: x\r\n\r\n");
    add(cases, "byte above ASCII in the target", 400, "GET /\u00e9 HTTP/1.1\r\nHost: x\r\n\r\n");
    add(cases, "NUL in the target", 400, "GET /\0 HTTP/1.1\r\nHost: x\r\n\r\n");
    add(cases, "asterisk for GET", 400, "GET * HTTP/1.1\r\nHost: x\r\n\r\n");
    add(cases, "other scheme", 400, "GET ftp://x/ HTTP/1.1\r\nHost: x\r\n\r\n");
    add(cases, "line too long", 414, "GET /" + "a".repeat(9000) + " HTTP/1.1\r\nHost: x\r\n\r\n");
    // RFC 9112, 2.2 and 5: lines and fields
    add(cases, "bare LF", 400, "GET / HTTP/1.1\nHost: x\n\n");
    add(cases, "bare LF in a field", 400, "GET / HTTP/1.1\r\nHost: x\nA: b\r\n\r\n");
    add(cases, "bare CR in a value", 400, "GET / HTTP/1.1\r\nHost: x\r\nA: b\rc\r\n\r\n");
    add(cases, "NUL in a value", 400, "GET / HTTP/1.1\r\nHost: x\r\nA: b\0c\r\n\r\n");
    add(cases, "blank before the colon", 400, "GET / HTTP/1.1\r\nHost: x\r\nA : b\r\n\r\n");
    add(cases, "no colon", 400, "GET / HTTP/1.1\r\nHost: x\r\nA\r\n\r\n");
    add(cases, "empty name", 400, "GET / HTTP/1.1\r\nHost: x\r\n: b\r\n\r\n");
    add(cases, "name no token", 400, "GET / HTTP/1.1\r\nHost: x\r\nA(: b\r\n\r\n");
    add(cases, "blank before the first field", 400, "GET / HTTP/1.1\r\n Host: x\r\n\r\n");
    add(
        cases,
        "fields too long",
        431,
        "GET / HTTP/1.1\r\nHost: x\r\nA: " + "b".repeat(17_000) + "\r\n\r\n");
    // RFC 9112, 3.2: Host
    add(cases, "no host", 400, "GET / HTTP/1.1\r\n\r\n");
    add(cases, "two hosts", 400, "GET / HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n");
    add(cases, "path in the host", 400, "GET / HTTP/1.1\r\nHost: x/y\r\n\r\n");
    add(cases, "user in the host", 400, "GET / HTTP/1.1\r\nHost: a@x\r\n\r\n");
    // RFC 9112, 6: how long the body is
    String post = "POST / HTTP/1.1\r\nHost: x\r\n";
    add(cases, "two lengths", 400, post + "Content-Length: 0\r\nContent-Length: 44\r\n\r\n");
    add(cases, "one length twice", 400, post + "Content-Length: 1\r\nContent-Length: 1\r\n\r\na");
    add(cases, "list of lengths", 400, post + "Content-Length: 0, 0\r\n\r\n");
    add(cases, "length below zero", 400, post + "Content-Length: -1\r\n\r\n");
    add(cases, "length with a sign", 400, post + "Content-Length: +0\r\n\r\n");
    add(cases, "length in hex", 400, post + "Content-Length: 0x0\r\n\r\n");
    add(cases, "length of letters", 400, post + "Content-Length: abc\r\n\r\n");
    add(cases, "empty length", 400, post + "Content-Length: \r\n\r\n");
    add(cases, "length beyond a long", 400, post + "Content-Length: 99999999999999999999\r\n\r\n");
    String chunked = "Transfer-Encoding: chunked\r\n";
    add(cases, "CL.TE", 400, post + "Content-Length: 5\r\n" + chunked + "\r\n0\r\n\r\n");
    add(cases, "TE.CL", 400, post + chunked + "Content-Length: 5\r\n\r\n0\r\n\r\n");
    add(cases, "TE.TE", 400, post + chunked + "Transfer-Encoding: x\r\n\r\n0\r\n\r\n");
    add(cases, "chunked twice", 400, post + chunked + chunked + "\r\n0\r\n\r\n");
    add(cases, "unknown coding", 400, post + "Transfer-Encoding: gzip\r\n\r\n0\r\n\r\n");
    add(cases, "coding before", 501, post + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n");
    add(cases, "coding after", 400, post + "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n");
    add(cases, "identity", 400, post + "Transfer-Encoding: identity\r\n\r\n0\r\n\r\n");
    add(cases, "quoted coding", 400, post + "Transfer-Encoding: \"chunked\"\r\n\r\n0\r\n\r\n");
    add(
        cases,
        "tab in the coding",
        400,
        post + "Transfer-Encoding: \u000bchunked\r\n\r\n0\r\n\r\n");
    add(
        cases,
        "chunked in HTTP/1.0",
        400,
        "POST / HTTP/1.0\r\nHost: x\r\n" + chunked + "\r\n0\r\n\r\n");
    // RFC 9112, 7.1: chunks
    add(cases, "chunk size no number", 400, post + chunked + "\r\nz\r\n\r\n");
    add(cases, "chunk size below zero", 400, post + chunked + "\r\n-1\r\n\r\n");
    add(cases, "chunk size with 0x", 400, post + chunked + "\r\n0x1\r\na\r\n0\r\n\r\n");
    add(cases, "chunk size beyond a long", 400, post + chunked + "\r\nfffffffffffffffff\r\n");
    add(cases, "chunk longer than it says", 400, post + chunked + "\r\n1\r\nab\r\n0\r\n\r\n");
    add(cases, "bare LF after a chunk size", 400, post + chunked + "\r\n1\na\r\n0\r\n\r\n");
    add(cases, "bare LF after a chunk", 400, post + chunked + "\r\n1\r\na\n0\r\n\r\n");
    // RFC 9110, 10.1.1
    add(cases, "unknown expectation", 417, post + "Expect: 200-ok\r\nContent-Length: 1\r\n\r\na");
    // Paths that lead out of the root
    for (String path :
        List.of(
            "/..",
            "/../a",
            "/a/../..",
            "/%2e%2e/a",
            "/.%2e/a",
            "/a/%2e%2e/%2e%2e/b",
            "/..%2fa",
            "/a%2f..%2f..%2fb",
            "/..\\a",
            "/..%5ca",
            "/%00",
            "/a%00.js",
            "/%",
            "/%a",
            "/%zz",
            "/%c0%ae%c0%ae/a",
            "/%ff",
            "/%0d%0aA:b",
            "/a%7f")) {
      add(cases, "path " + path, 400, "GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n");
    }
    return cases;
  }

  private static void add(List<Case> cases, String what, int status, String request) {
    cases.add(new Case(what, status, request));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void malformedRequest_isRefusedAndConnectionClosed(Case request) throws IOException {
    SMUGGLED.set(0);
    try (Wire wire = new Wire(SERVER)) {
      wire.send(request.request + SMUGGLE);
      Wire.Reply reply = wire.reply();
      assertThat(reply.status()).as(request.what).isEqualTo(request.status);
      assertThat(reply.header("connection")).isEqualTo("close");
      assertThat(reply.header("content-type")).isEqualTo("application/problem+json");
      assertThat(wire.isClosed()).isTrue();
    }
    assertThat(SMUGGLED).hasValue(0);
  }

  /** The status must not depend on how the bytes are split. */
  @Test
  void malformedRequest_byteByByte_hasTheSameStatus() throws IOException {
    for (Case request : cases()) {
      if (request.request.length() > 200) continue;
      try (Wire wire = new Wire(SERVER)) {
        for (int i = 0; i < request.request.length(); i++) {
          try {
            wire.send(request.request.substring(i, i + 1));
          } catch (IOException e) {
            break; // refused before the end of the request
          }
        }
        assertThat(wire.reply().status()).as(request.what).isEqualTo(request.status);
      }
    }
  }
}
