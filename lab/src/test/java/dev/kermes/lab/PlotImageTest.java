package dev.kermes.lab;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class PlotImageTest {

  @Test
  void inline_ofBars_hasWholeNamesAndNoColourOfTheGround() {
    Plot plot =
        Plot.bars("title", "requests per second")
            .bar("a", "short & <sharp>", 1)
            .bar("a", "a name of more than twenty characters", 2)
            .bar("b", "short & <sharp>", 3)
            .bar("b", "not measured", Double.NaN);
    String svg = PlotImage.inline(plot);
    assertThat(svg)
        .startsWith("<svg ")
        .contains("viewBox=\"0 0 480 ", "currentColor", "requests per second")
        .contains(">a name of more than<", ">twenty characters<", "short &amp; &lt;sharp&gt;")
        .doesNotContain("not measured", "width=\"480", "#010203", "rgb(1,2,");
  }

  @Test
  void inline_ofLines_hasAPointForEachAndALegend() {
    Plot plot = Plot.lines("title", "go blocks", "milliseconds");
    for (int i = 1; i <= 9; i++) plot.point("threads", i, 10).point("go blocks, 8", i, 20);
    String svg = PlotImage.inline(plot);
    assertThat(svg.split("<circle ", -1).length).isGreaterThan(18);
    assertThat(svg).contains("go blocks, 8", "threads", "milliseconds");
  }

  @Test
  void standalone_hasItsOwnColours_forLightAndDark() {
    String svg = PlotImage.standalone(Plot.bars("title", "x").bar("a", "b", 1));
    assertThat(svg).contains("prefers-color-scheme:dark").endsWith("</svg>\n");
  }
}
