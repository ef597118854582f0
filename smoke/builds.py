"""The build tools of users, for smoke/first-steps and smoke/testkits.

Each function runs one tool in the folder of a project, against the local Maven repository, and returns
whether the expected number of tests has run and passed: a build without tests passes, too. A tool prints
its output only if it fails.

KERMES_REPOSITORY names the repository, ~/.m2/repository by default. Tools that take no such option get a
home folder whose .m2/repository is a link to it. sbt's launcher, Groovy with Ivy and tools.deps, the
library behind the clojure command, are fetched from Maven Central; Maven and Leiningen must be installed.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
REPOSITORY = pathlib.Path(os.environ.get("KERMES_REPOSITORY") or pathlib.Path.home() / ".m2" / "repository")
JAVA = str(pathlib.Path(os.environ["JAVA_HOME"]) / "bin" / "java") if "JAVA_HOME" in os.environ else "java"

SBT = ["org.scala-sbt:sbt-launch:1.11.7"]
GROOVY = ["org.apache.groovy:groovy:5.1.3", "org.apache.ivy:ivy:2.5.3"]
TOOLS_DEPS = ["org.clojure:tools.deps:0.24.1523"]

TOOLS_POM = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>example</groupId>
  <artifactId>tools</artifactId>
  <version>1</version>
  <dependencies>{}</dependencies>
</project>
"""

# As the clojure command does, but from Maven Central alone.
CLASS_PATH = """
(require '[clojure.string :as string] '[clojure.tools.deps :as deps])
(let [basis (deps/create-basis {:root (update (deps/root-deps) :mvn/repos dissoc "clojars")
                                :user nil
                                :extra {:mvn/local-repo (first *command-line-args*)}
                                :aliases [:test]})]
  (print (string/join ":" (:classpath-roots basis))))
(flush)
(shutdown-agents)
"""
CLOJURE_TEST = """
(require '{0})
(let [r (clojure.test/run-tests '{0})] (System/exit (if (= [2 0 0] (map r [:test :fail :error])) 0 1)))
"""


def blocks(page, kind=""):
    """The blocks of a page under docs/, by the comment above them: its text behind the kind, which ends with a blank."""
    text = (ROOT / "docs" / page).read_text()
    return dict(re.findall(rf"<!-- {kind}(.*?) -->\n```\w+\n(.*?)^```$", text, re.M | re.S))


def with_plugin(pom, plugin):
    """A pom.xml with one more plugin."""
    return pom.replace("    </plugins>\n", plugin + "    </plugins>\n")


def write(folder, files):
    """Writes files, text by path."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def output(command, folder, **variables):
    """What a command prints; None if it fails or is not installed, and then prints all that it said."""
    if not shutil.which(command[0]):
        print(command[0] + ": not installed (.ci/install-tools installs it)", file=sys.stderr)
        return None
    result = subprocess.run(command, cwd=folder, env={**os.environ, **variables}, capture_output=True, text=True)
    if result.returncode == 0:
        return result.stdout
    print(result.stdout, result.stderr, file=sys.stderr)
    return None


def home(folder):
    """The JVM's flag for a home folder that belongs to all projects beside this one."""
    own = folder.parent / "home"
    if not own.exists():
        (own / ".m2").mkdir(parents=True)
        (own / ".m2" / "repository").symlink_to(REPOSITORY)
    return f"-Duser.home={own}"


def maven(folder, tests=2):
    return run_maven(folder, "test") and ran(folder, tests)


def run_maven(folder, *arguments):
    command = ["mvn", "-B", "-ntp", "-q", f"-Dmaven.repo.local={REPOSITORY}", *arguments]
    return output(command, folder) is not None


def ran(folder, tests):
    """Whether the reports of Surefire or sbt have a suite with this number of tests."""
    reports = list(folder.glob("target/*-reports/TEST-*.xml"))
    return any(re.search(rf'<testsuite [^>]*\btests="{tests}"', report.read_text()) for report in reports)


def fetched(folder, coordinates):
    """The class path of libraries and what they depend on; None if they cannot be had."""
    own = folder.parent / coordinates[0].split(":")[1]
    one = "<dependency><groupId>{}</groupId><artifactId>{}</artifactId><version>{}</version></dependency>"
    text = "".join(one.format(*each.split(":")) for each in coordinates)
    write(own, {"pom.xml": TOOLS_POM.format(text)})
    if not run_maven(own, "dependency:build-classpath", "-Dmdep.outputFile=class-path"):
        return None
    return (own / "class-path").read_text()


def sbt(folder, tests=2):
    launcher = fetched(folder, SBT)
    if launcher is None:
        return False
    flags = [home(folder), "-Dsbt.color=false", "-Dsbt.supershell=false"]
    return output([JAVA, *flags, "-cp", launcher, "xsbt.boot.Boot", "test"], folder) is not None and ran(folder, tests)


def leiningen(folder):
    flag = home(folder)
    # The profile base, of which only a REPL has use, comes from Clojars.
    text = output(["lein", "with-profile", "-base", "test"], folder, LEIN_JAVA_CMD=JAVA, JAVA_CMD=JAVA, LEIN_JVM_OPTS=flag)
    return text is not None and "Ran 2 tests" in text


def grape(folder):
    groovy = fetched(folder, GROOVY)
    if groovy is None:
        return False
    text = output([JAVA, home(folder), "-cp", groovy, "groovy.ui.GroovyMain", "visits.groovy"], folder)
    return text is not None and text.endswith("ok\n")


def tools_deps(folder, namespace):
    tools = fetched(folder, TOOLS_DEPS)
    if tools is None:
        return False
    write(folder, {"class_path.clj": CLASS_PATH})
    class_path = output([JAVA, "-cp", tools, "clojure.main", "class_path.clj", str(REPOSITORY)], folder)
    if class_path is None:
        return False
    return output([JAVA, "-cp", class_path, "clojure.main", "-e", CLOJURE_TEST.format(namespace)], folder) is not None


def run(files, builds, names):
    """Builds the named projects, or all, in a folder with these files; exits with 1 if one fails.

    builds has the function of each project, which takes its folder.
    """
    unknown = set(names) - set(builds)
    if unknown:
        sys.exit(f"unknown: {' '.join(sorted(unknown))}; there are {' '.join(builds)}")
    failed = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        write(folder, files)
        for name in names or builds:
            start = time.monotonic()
            passed = builds[name](folder / name)
            print(f"{name}: {'ok' if passed else 'FAILED'}, {time.monotonic() - start:.0f} s", flush=True)
            if not passed:
                failed.append(name)
    sys.exit(1 if failed else 0)
