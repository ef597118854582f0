package dev.kermes.server.command.geo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.testing.CommandTest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Places on earth. {@code RedisDifferentialTest} compares the commands of Redis 7.0 with it. */
final class GeoOptionsTest extends CommandTest {

  @BeforeEach
  void addPlaces() throws IOException {
    call("GEOADD sicily 13.361389 38.115556 Palermo 15.087269 37.502669 Catania");
    call("GEOADD sicily 14.017 36.9 Licata 16 40 Mainland");
  }

  @Test
  void polygon_findsWhatLiesWithin() throws IOException {
    String island = "BYPOLYGON 4 12.3 38.3 15.7 38.3 15.2 36.5 12.3 37.6";
    assertThat(call("GEOSEARCH sicily " + island + " ASC")).isEqualTo("*2[$7:Palermo, $7:Catania]");
    String corner = "BYPOLYGON 3 14.5 38.3 15.7 38.3 15.2 36.5";
    assertThat(call("GEOSEARCH sicily " + corner)).isEqualTo("*1[$7:Catania]");
    assertThat(call("GEOSEARCHSTORE there sicily " + island + " DESC COUNT 1")).isEqualTo(":1");
    assertThat(call("ZRANGE there 0 -1")).isEqualTo("*1[$7:Catania]");
    assertThat(call("GEOSEARCH none " + island)).isEqualTo("*0");
  }

  @Test
  void concavePolygon_leavesOutItsDent() throws IOException {
    call("GEOADD grid 1 1 low 9 1 right 5 6 dent 5 2 base");
    assertThat(call("GEOSEARCH grid BYPOLYGON 5 0 0 10 0 10 10 5 4 0 10 ASC"))
        .isEqualTo("*3[$4:base, $5:right, $3:low]");
  }

  @Test
  void polygonMistakes_areReplied() throws IOException {
    String few = "-ERR GEOSEARCH BYPOLYGON must have at least 3 vertices";
    assertThat(call("GEOSEARCH sicily BYPOLYGON 2 1 1 2 2 ASC")).isEqualTo(few);
    assertThat(call("GEOSEARCH sicily BYPOLYGON 4 1 1 2 2 3 3")).isEqualTo(few);
    assertThat(call("GEOSEARCH sicily BYPOLYGON x 1 1 2 2 3 3"))
        .isEqualTo("-ERR invalid number of vertices");
    assertThat(call("GEOSEARCH sicily BYPOLYGON 3 1 1 2 2 300 3"))
        .isEqualTo("-ERR invalid longitude,latitude pair 300.000000,3.000000");
    assertThat(call("GEOSEARCH sicily FROMMEMBER Palermo BYPOLYGON 3 1 1 2 2 3 3"))
        .isEqualTo("-ERR syntax error");
    assertThat(call("GEOSEARCH sicily BYPOLYGON 3 1 1 2 2 3 3 BYRADIUS 1 m"))
        .isEqualTo("-ERR syntax error");
  }

  @ParameterizedTest
  @CsvSource({"ASC, 20", "DESC, 20", "ASC, 200", "DESC, 200"})
  void membersAtOneDistance_keepTheOrderOfTheSet(String order, int pairs) throws IOException {
    for (int i = 0; i < pairs; i++) {
      String place = "16." + (1000 + 37 * i) + " 40 ";
      call("GEOADD pairs " + place + "b" + i + " " + place + "a" + i);
    }
    String search = "GEOSEARCH pairs FROMLONLAT 16 40 BYRADIUS 500 km " + order;
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      int pair = order.equals("ASC") ? i : pairs - 1 - i;
      expected.add("$" + ("a" + pair).length() + ":a" + pair);
      expected.add("$" + ("b" + pair).length() + ":b" + pair);
    }
    assertThat(call(search)).startsWith("*" + 2 * pairs + "[" + String.join(", ", expected));
    for (int count = 1; count <= 10; count++) {
      String first = String.join(", ", expected.subList(0, count));
      assertThat(call(search + " COUNT " + count)).isEqualTo("*" + count + "[" + first + "]");
    }
  }

  @Test
  void withCoordinates_inResp3_areDoubles() throws IOException {
    socket.call("HELLO", "3");
    assertThat(call("GEOSEARCH sicily FROMMEMBER Palermo BYRADIUS 1 km WITHCOORD WITHDIST"))
        .isEqualTo("*1[*3[$7:Palermo, $6:0.0000, *2[,13.361389338970184, ,38.1155563954963]]]");
  }

  @Test
  void stored_overwritesOrDeletesTheKey() throws IOException {
    call("SET there v");
    assertThat(call("GEORADIUS sicily 15 37 200 km STOREDIST there")).isEqualTo(":3");
    assertThat(call("TYPE there")).isEqualTo("+zset");
    assertThat(call("GEOSEARCHSTORE there sicily FROMLONLAT 0 0 BYRADIUS 1 m")).isEqualTo(":0");
    assertThat(call("EXISTS there")).isEqualTo(":0");
  }
}
