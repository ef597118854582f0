package dev.kermes.spring;

import dev.kermes.reactor.Conversion;
import org.springframework.core.convert.ConversionFailedException;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.convert.ConverterNotFoundException;

/** Uses Spring's conversions, with the exceptions that ours promise. */
final class SpringConversion {

  private SpringConversion() {}

  static Conversion of(ConversionService service) {
    return (text, type) -> {
      try {
        return service.convert(text, type);
      } catch (ConversionFailedException e) {
        throw new IllegalArgumentException(e.getMessage(), e);
      } catch (ConverterNotFoundException e) {
        throw new IllegalStateException(e.getMessage(), e);
      }
    };
  }
}
