package dev.kermes.server.command.geo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.testing.FamilyTest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Places on earth by example. */
final class GeoTest extends FamilyTest {

  @BeforeEach
  void addSicily() throws IOException {
    call("GEOADD sicily 13.361389 38.115556 Palermo 15.087269 37.502669 Catania");
  }

  @ParameterizedTest
  @CsvSource({"ASC, 100", "DESC, 100", "ASC, 300", "DESC, 300"})
  void geosearch_withCount_repliesTheFirstOfAll(String order, int members) throws IOException {
    Random random = new Random(1);
    for (int i = 0; i < members; i++) {
      double longitude = 20 * random.nextDouble();
      double latitude = 20 * random.nextDouble();
      call("GEOADD many " + longitude + " " + latitude + " m" + i);
    }
    String search = "GEOSEARCH many FROMLONLAT 10 10 BYRADIUS 1000 km " + order;
    String reply = call(search);
    List<String> all = List.of(reply.substring(reply.indexOf('[') + 1).split("[],] ?"));
    assertThat(all.size()).isBetween(members / 2, members - 1);
    for (int count : new int[] {1, 7, 20, members / 3, all.size() - 1}) {
      assertThat(call(search + " COUNT " + count))
          .isEqualTo("*" + count + "[" + String.join(", ", all.subList(0, count)) + "]");
    }
    for (int count : new int[] {all.size(), members - 1, members, 1000}) {
      assertThat(call(search + " COUNT " + count)).isEqualTo(reply);
    }
  }

  @Test
  void geoadd_countsNewPlaces() throws IOException {
    assertThat(call("GEOADD sicily 13.5 38 Palermo 14.0 37 Gela")).isEqualTo(":1");
    assertThat(call("GEOADD sicily XX CH 13.361389 38.115556 Palermo")).isEqualTo(":1");
    assertThat(call("GEOADD sicily 181 0 x"))
        .isEqualTo("-ERR invalid longitude,latitude pair 181.000000,0.000000");
    assertThat(call("TYPE sicily")).isEqualTo("+zset");
  }

  @Test
  void geodist_isInTheUnitWanted() throws IOException {
    assertThat(call("GEODIST sicily Palermo Catania")).isEqualTo("$11:166274.1516");
    assertThat(call("GEODIST sicily Palermo Catania km")).isEqualTo("$8:166.2742");
    assertThat(call("GEODIST sicily Palermo none")).isEqualTo("$-1");
    assertThat(call("GEODIST sicily Palermo Catania yard"))
        .isEqualTo("-ERR unsupported unit provided. please use M, KM, FT, MI");
  }

  @Test
  void geohash_isTheStandardString() throws IOException {
    assertThat(call("GEOHASH sicily Palermo none Catania"))
        .isEqualTo("*3[$11:sqc8b49rny0, $-1, $11:sqdtr74hyu0]");
    assertThat(call("GEOPOS sicily Palermo none"))
        .startsWith("*2[*2[$")
        .contains(":13.36138933897018", ":38.11555639549")
        .endsWith("], *-1]");
    assertThat(call("ZSCORE sicily Palermo")).isEqualTo("$16:3479099956230698");
  }

  @Test
  void geosearch_findsByRadiusAndBox() throws IOException {
    assertThat(call("GEOSEARCH sicily FROMLONLAT 15 37 BYRADIUS 200 km ASC"))
        .isEqualTo("*2[$7:Catania, $7:Palermo]");
    assertThat(call("GEOSEARCH sicily FROMLONLAT 15 37 BYRADIUS 200 km DESC COUNT 1"))
        .isEqualTo("*1[$7:Palermo]");
    assertThat(call("GEOSEARCH sicily FROMMEMBER Palermo BYBOX 10 10 km WITHDIST"))
        .isEqualTo("*1[*2[$7:Palermo, $6:0.0000]]");
    assertThat(call("GEOSEARCH none FROMLONLAT 15 37 BYRADIUS 1 m")).isEqualTo("*0");
    assertThat(call("GEOSEARCH sicily FROMMEMBER none BYRADIUS 1 m"))
        .isEqualTo("-ERR could not decode requested zset member");
    assertThat(call("GEOSEARCH sicily FROMLONLAT 15 37 ASC WITHDIST"))
        .startsWith("-ERR exactly one of BYRADIUS and BYBOX");
  }

  @Test
  void geosearch_ofManyPlaces_findsThoseThatGeodistCallsNear() throws IOException {
    Random random = new Random(29);
    for (int i = 0; i < 200; i++) {
      call("GEOADD g " + random.nextDouble(14, 16) + " " + random.nextDouble(36, 38) + " p" + i);
    }
    for (int round = 0; round < 20; round++) {
      int kilometers = random.nextInt(1, 150);
      List<String> near = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        String distance = call("GEODIST g p" + round + " p" + i + " km");
        double value = Double.parseDouble(distance.substring(distance.indexOf(':') + 1));
        if (value <= kilometers) near.add("p" + i);
      }
      String search = "GEOSEARCH g FROMMEMBER p" + round + " BYRADIUS " + kilometers + " km";
      String reply = call(search);
      assertThat(reply).startsWith("*" + near.size());
      for (String place : near) assertThat(reply).contains(":" + place);
      int any = Math.max(1, near.size() / 2);
      assertThat(call(search + " COUNT " + any + " ANY")).startsWith("*" + any);
    }
  }

  @Test
  void geosearchstore_keepsPlacesOrDistances() throws IOException {
    assertThat(call("GEOSEARCHSTORE to sicily FROMLONLAT 15 37 BYRADIUS 100 km")).isEqualTo(":1");
    assertThat(call("ZSCORE to Catania")).isEqualTo(call("ZSCORE sicily Catania"));
    call("GEOSEARCHSTORE to sicily FROMMEMBER Catania BYRADIUS 100 km STOREDIST");
    assertThat(call("ZSCORE to Catania")).isEqualTo("$1:0");
    assertThat(call("GEOSEARCHSTORE to sicily FROMLONLAT 0 0 BYRADIUS 1 m")).isEqualTo(":0");
    assertThat(call("EXISTS to")).isEqualTo(":0");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GEOADD k 1 1 a",
        "GEODIST k a b",
        "GEOHASH k a",
        "GEOPOS k a",
        "GEOSEARCH k FROMLONLAT 1 1 BYRADIUS 1 m"
      })
  void commandOnAnotherType_isRefused(String command) throws IOException {
    assertRefusesOtherTypes(command);
  }
}
