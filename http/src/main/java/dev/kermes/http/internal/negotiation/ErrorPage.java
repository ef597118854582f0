package dev.kermes.http.internal.negotiation;

import dev.kermes.http.HttpMessage;
import dev.kermes.http.Response;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.List;
import java.util.Locale;

/** Turns errors into HTML pages for clients that ask for HTML, as browsers do; others get JSON. */
public final class ErrorPage {

  private static final String PROBLEM = "application/problem+json";

  private ErrorPage() {}

  /** The response in the format that the client asks for if it is a problem, else unchanged. */
  public static Response of(HttpMessage request, Response response) {
    if (response.status() < 400 || !PROBLEM.equals(response.header("content-type")))
      return response;
    Response varied = response.with("vary", "accept");
    if (!wantsHtml(request.headers("accept"))) return varied;
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

  /** Whether the client names HTML, and no JSON type before it. */
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
