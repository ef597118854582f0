package dev.kermes.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.List;
import java.util.Locale;

/** Errors for people: a client that asks for HTML, as browsers do, gets a page instead of JSON. */
final class ErrorPage {

  private static final String PROBLEM = "application/problem+json";

  private ErrorPage() {}

  /** The response in the form that the client asks for, if it is a problem; otherwise itself. */
  static Response of(HttpMessage request, Response response) {
    if (response.status() < 400 || !PROBLEM.equals(response.header("content-type")))
      return response;
    Response varied = response.with("vary", "accept");
    if (!wantsHtml(request.fields().getAll(HttpHeaderNames.ACCEPT))) return varied;
    String title =
        response.status() + " " + HttpResponseStatus.valueOf(response.status()).reasonPhrase();
    Response page = HtmlPage.of(response.status(), title, "");
    for (Response.Header header : varied.headers()) {
      if (!header.name().equalsIgnoreCase("content-type")) {
        page = page.with(header.name(), header.value());
      }
    }
    return page;
  }

  /** Whether HTML is named, and no JSON before it. */
  private static boolean wantsHtml(List<String> accepted) {
    for (String field : accepted) {
      for (String item : field.split(",")) {
        String type = item.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        if (type.equals("text/html")) return true;
        if (type.endsWith("json")) return false;
      }
    }
    return false;
  }
}
