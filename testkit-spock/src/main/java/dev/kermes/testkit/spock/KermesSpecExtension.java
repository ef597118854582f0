package dev.kermes.testkit.spock;

import dev.kermes.testkit.ServerLease;
import dev.kermes.testkit.spock.KermesSpec.Reset;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.spockframework.runtime.AbstractRunListener;
import org.spockframework.runtime.extension.IAnnotationDrivenExtension;
import org.spockframework.runtime.extension.IMethodInvocation;
import org.spockframework.runtime.model.ErrorInfo;
import org.spockframework.runtime.model.FeatureInfo;
import org.spockframework.runtime.model.MethodInfo;
import org.spockframework.runtime.model.SpecInfo;
import org.spockframework.runtime.model.parallel.ExecutionMode;

/** The extension behind {@link KermesSpec}; Spock creates it. */
public final class KermesSpecExtension implements IAnnotationDrivenExtension<KermesSpec> {

  /** Creates the extension. */
  public KermesSpecExtension() {}

  @Override
  public void visitSpecAnnotation(KermesSpec wanted, SpecInfo spec) {
    if (!spec.getIsBottomSpec()) return; // the annotation is inherited: it comes once more
    SpecRun run = new SpecRun(wanted);
    spec.setChildExecutionMode(ExecutionMode.SAME_THREAD);
    spec.addInterceptor(run::aroundSpec);
    spec.addListener(run);
    for (MethodInfo fixture : spec.getAllFixtureMethods()) {
      fixture.addInterceptor(run::giveArguments);
    }
    for (FeatureInfo feature : spec.getAllFeatures()) {
      feature.addIterationInterceptor(run::aroundIteration);
      feature.getFeatureMethod().addInterceptor(run::giveArguments);
    }
  }

  /** The run of one specification with its server. */
  private static final class SpecRun extends AbstractRunListener {

    private final KermesSpec wanted;
    private volatile @Nullable ServerLease lease;

    SpecRun(KermesSpec wanted) {
      this.wanted = wanted;
    }

    private ServerLease lease() {
      return Objects.requireNonNull(lease);
    }

    void aroundSpec(IMethodInvocation spec) throws Throwable {
      try (ServerLease own = ServerLease.of(List.of(wanted.options()), wanted.realTime())) {
        lease = own;
        spec.proceed();
      }
    }

    void aroundIteration(IMethodInvocation iteration) throws Throwable {
      if (wanted.reset() == Reset.EACH_ITERATION) lease().server().reset();
      iteration.proceed();
    }

    /** Adds the report to what the runner has made of a failure. */
    @Override
    public void error(ErrorInfo error) {
      lease().report(error.getException());
    }

    void giveArguments(IMethodInvocation method) throws Throwable {
      Class<?>[] types = method.getMethod().getReflection().getParameterTypes();
      for (int i = 0; i < types.length; i++) {
        if (ServerLease.hasPart(types[i])) method.resolveArgument(i, lease().part(types[i]));
      }
      method.proceed();
    }
  }
}
