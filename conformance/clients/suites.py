"""The suites of `run`: the origin of each, its requirements, and how its results are read."""

import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import scenario
from deployments import Unreachable

HERE = Path(__file__).resolve().parent


# No debugging information, which is most of the build.
CARGO_ENVIRONMENT = {"CARGO_PROFILE_DEV_DEBUG": "0"}


class Missing(Exception):
    """Something that a suite needs and this machine lacks."""


def need(program, package):
    if shutil.which(program) is None:
        raise Missing(f"needs {program}, for instance: apt-get install {package}")


def call(command, folder, log, timeout=1800, environment=None):
    """Runs a command with its output in a file, and ends its process group if it takes too long."""
    with open(log, "ab") as output:
        process = subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env=dict(os.environ, **(environment or {})),
            start_new_session=True,
        )
        try:
            return process.wait(timeout)
        except subprocess.TimeoutExpired:
            return None
        finally:
            end_session(process)


def end_session(process):
    try:
        os.killpg(process.pid, 9)
    except ProcessLookupError:
        pass
    process.wait()


def must(command, folder, log, **options):
    if call(command, folder, log, **options) != 0:
        raise Missing(f"cannot {' '.join(map(str, command))}; see {log}")


class Suite:
    """Tests that are fetched once, into a folder of their own; only a complete download becomes their source."""

    tools = ()

    def prepare(self, folder):
        for program, package in self.tools:
            need(program, package)
        source = self.source(folder)
        if source.exists():
            return
        log, work = folder / "prepare.log", folder / "new"
        log.write_bytes(b"")
        shutil.rmtree(work, ignore_errors=True)
        self.fetch(folder, work, log).rename(source)
        shutil.rmtree(work, ignore_errors=True)

    def fetch(self, folder, work, log):
        """Creates the source below `work`, which does not exist yet, and returns its folder."""
        raise NotImplementedError

    def source(self, folder):
        return folder / f"{self.name}-{self.version}"


def junit(path, name_of):
    """The verdicts of a JUnit report: ok, err or skip, and the message."""
    results = {}
    if not path.exists():
        return results
    for case in ElementTree.parse(path).iter("testcase"):
        verdict, detail = "ok", ""
        for child in case:
            if child.tag in ("failure", "error"):
                verdict, detail = "err", child.get("message") or child.text or ""
            elif child.tag == "skipped" and verdict == "ok":
                verdict = "skip"
        # A test that fails and then fails again during its teardown is reported twice.
        name = name_of(case)
        if name is None and verdict != "err":
            continue
        name = name or "(before or after all)"
        if results.get(name, ("ok",))[0] != "err":
            results[name] = (verdict, detail)
    return results


class Pytest(Suite):
    """Tests of a Python package's source distribution, by pytest in an environment of their own."""

    def __init__(self, name, package, version, tests, servers, requirements=(), variants=("",), flags=(), environment=None, adapt=None):
        self.name = name
        self.package = package
        self.version = version
        self.tests = tests
        self.servers = servers
        self.requirements = requirements
        self.variants = variants
        self.flags = flags
        self.environment = environment or {}
        self.adapt = adapt
        self.about = f"{package} {version} of PyPI: {' '.join(tests)}"

    def fetch(self, folder, work, log):
        work.mkdir()
        python = folder / "venv" / "bin" / "python"
        must([sys.executable, "-m", "venv", "--clear", str(folder / "venv")], folder, log)
        pip = [str(python), "-m", "pip", "--disable-pip-version-check", "-q"]
        wanted = f"{self.package}=={self.version}"
        must([*pip, "download", "--no-deps", "--no-binary", self.package, "-d", str(work), wanted], folder, log)
        archive = next(work.glob("*.tar.gz"))
        shutil.unpack_archive(archive, work)
        unpacked = next(path for path in work.iterdir() if path.is_dir())
        must([*pip, "install", str(unpacked), "pytest", "pytest-timeout", *self.requirements], folder, log)
        if self.adapt:
            self.adapt(unpacked)
        return unpacked

    def run(self, folder, variant, left_out, only, program):
        report, log = folder / "report.xml", folder / (f"{variant}.log" if variant else "log")
        report.unlink(missing_ok=True)
        log.write_bytes(b"")
        command = [str(folder / "venv" / "bin" / "python"), "-m", "pytest", "-q", "-p", "no:cacheprovider"]
        command += ["-o", "junit_family=xunit1", f"--junitxml={report}", "--timeout=60", "--tb=short", "--durations=20"]
        command += [flag.format(variant=variant[-1:]) for flag in self.flags]
        command += [f"--deselect={name.rstrip('*')}" for name in left_out]
        if only:
            command += ["-k", only]
        path = f"{folder / 'venv' / 'bin'}{os.pathsep}{os.environ['PATH']}"
        call([*command, *self.tests], self.source(folder), log, environment={"PATH": path, **self.environment})
        return junit(report, self.test_name)

    @staticmethod
    def test_name(case):
        """The name by which pytest selects a test."""
        file, name = case.get("file"), case.get("name")
        if file is None:
            return f"{case.get('classname')}::{name}".lstrip(":")
        module = file.removesuffix(".py").replace("/", ".")
        group = (case.get("classname") or "").removeprefix(module).strip(".")
        return "::".join([file, *group.split("."), name] if group else [file, name])


class GoTest(Suite):
    """Tests of a Go module, in a writable copy; Ginkgo's specs by their own names."""

    tools = (("go", "golang-go"),)
    variants = ("",)

    def __init__(self, name, module, version, packages, servers, ginkgo_skip=None, adapt=None, environment=None):
        self.name = name
        self.module = module
        self.version = version
        self.packages = packages
        self.servers = servers
        self.ginkgo_skip = ginkgo_skip
        self.adapt = adapt
        self.environment = environment or {}
        self.about = f"{module} {version} of the Go modules: {' '.join(packages)}"

    def fetch(self, folder, work, log):
        download = subprocess.run(
            ["go", "mod", "download", "-json", f"{self.module}@v{self.version}"], cwd=folder, capture_output=True
        )
        if download.returncode:
            raise Missing(f"cannot fetch {self.module}: {download.stdout.decode().strip()[:300]}")
        shutil.copytree(json.loads(download.stdout)["Dir"], work)
        for path in [work, *work.rglob("*")]:
            path.chmod(path.stat().st_mode | 0o200)
        if self.adapt:
            self.adapt(work)
        must(["go", "test", "-count=1", "-run=^$", *self.packages], work, log)
        return work

    def run(self, folder, variant, left_out, only, program):
        log, report = folder / "log", folder / "report.xml"
        report.unlink(missing_ok=True)
        log.write_bytes(b"")
        skipped = [pattern(name) for name in left_out]
        command = ["go", "test", "-json", "-count=1", "-p=1", "-timeout=20m", *self.packages]
        if self.ginkgo_skip:
            command += ["-run=^TestGinkgoSuite$", "-args", f"--ginkgo.junit-report={report}", "--ginkgo.no-color"]
            command += [f"--ginkgo.skip={'|'.join([self.ginkgo_skip, *skipped])}"]
            command += [f"--ginkgo.focus={only}"] if only else []
        else:
            command += [f"-run={only}"] if only else []
            command += [f"-skip={'|'.join(skipped)}"] if skipped else []
        call(command, self.source(folder), log, environment=self.environment)
        if not self.ginkgo_skip:
            return self.events(log)
        # The skipped specs are those that this run leaves out.
        return {name: result for name, result in junit(report, spec_name).items() if result[0] != "skip"}

    def events(self, log):
        """The verdicts in the output of `go test -json`; a test with subtests is not counted in addition to them."""
        results, said = {}, {}
        for line in log.read_text(errors="replace").splitlines():
            if not line.startswith("{"):
                continue
            event = json.loads(line)
            name = event["Package"].removeprefix(self.module).lstrip("/")
            name = f"{name}:{event['Test']}" if "Test" in event and name else event.get("Test")
            verdict = {"pass": "ok", "fail": "err", "skip": "skip"}.get(event["Action"])
            if name is None:
                continue
            if event["Action"] == "output":
                said[name] = said.get(name, "") + event["Output"]
            elif verdict:
                results[name] = (verdict, said.get(name, ""))
        failed = {name for name, (verdict, _) in results.items() if verdict == "err"}
        for name in list(results):
            parts = [part for part in results if part.startswith(name + "/")]
            if parts and (name not in failed or any(part in failed for part in parts)):
                del results[name]
        return results


class CargoTest(Suite):
    """Tests of a Rust crate, in an adapted copy; each starts servers of its own."""

    tools = (("cargo", "cargo"),)
    servers = {}
    variants = ("resp2", "resp3")

    def __init__(self, name, crate, version, targets, features, adapt):
        self.name = name
        self.crate = crate
        self.version = version
        self.targets = targets
        self.features = features
        self.adapt = adapt
        self.about = f"{crate} {version} of the Rust crates: {' '.join(targets)}"

    def fetch(self, folder, work, log):
        finder = folder / "finder"
        shutil.rmtree(finder, ignore_errors=True)
        # Cargo fetches the crates that a package names, and then prints their location.
        (finder / "src").mkdir(parents=True)
        (finder / "src" / "lib.rs").write_text("")
        (finder / "Cargo.toml").write_text(
            f'[package]\nname = "finder"\nversion = "0.0.0"\n[dependencies]\n{self.crate} = "={self.version}"\n[workspace]\n'
        )
        metadata = subprocess.run(["cargo", "metadata", "--format-version=1"], cwd=finder, capture_output=True)
        if metadata.returncode:
            raise Missing(f"cannot fetch {self.crate}: {metadata.stderr.decode().strip()[-300:]}")
        packages = json.loads(metadata.stdout)["packages"]
        manifest = next(package["manifest_path"] for package in packages if package["name"] == self.crate)
        shutil.copytree(Path(manifest).parent, work)
        self.adapt(work)
        must([*self.command(), "--no-run"], work, log, environment=CARGO_ENVIRONMENT)
        return work

    def command(self):
        targets = [flag for target in self.targets for flag in ("--test", target)]
        return ["cargo", "test", "--no-fail-fast", f"--features={self.features}", *targets]

    def run(self, folder, variant, left_out, only, program):
        log = folder / f"{variant}.log"
        log.write_bytes(b"")
        command = [*self.command(), "--", "--test-threads=1"]
        command += [flag for name in left_out for flag in ("--skip", name.rstrip("*").partition("::")[2])]
        if only:
            command.append(only)
        programs = folder / "bin"
        programs.mkdir(exist_ok=True)
        (programs / "redis-server").unlink(missing_ok=True)
        (programs / "redis-server").symlink_to(program)
        path = f"{programs}{os.pathsep}{os.environ['PATH']}"
        environment = {"PATH": path, "PROTOCOL": variant.upper(), "KERMES_NO_BUILD": "1"}
        call(command, self.source(folder), log, environment={**CARGO_ENVIRONMENT, **environment})
        return self.verdicts(log.read_text(errors="replace"))

    @staticmethod
    def verdicts(text):
        """The verdicts in the output of the test programs: "test name ... ok", possibly with other words between."""
        results, target, test, said = {}, "", None, None
        for line in text.splitlines():
            if program := re.match(r"\s*Running tests/(\w+)\.rs ", line):
                target = program[1]
            if named := re.match(r"test (\S+)(?: - should panic)? \.\.\. ", line):
                test = named[1]
            if test and (verdict := re.search(r"(?:^|\.\.\. )(ok|FAILED|ignored)\b", line)):
                results[f"{target}::{test}"] = ({"ok": "ok", "FAILED": "err", "ignored": "skip"}[verdict[1]], "")
                test = None
            # The message of a failure is on the lines after the test's name.
            if failed := re.match(r"thread '([^']+)' .*panicked at", line):
                said = f"{target}::{failed[1]}"
            elif said and results.get(said, ("ok",))[0] == "err":
                results[said] = ("err", results[said][1] + line + "\n")
            if not line:
                said = None
        return results


def with_own_macro(source):
    """Makes redis-rs's tests build outside its repository: without benchmarks, with an attribute of ours."""
    manifest = source / "Cargo.toml"
    text = re.sub(r"\[\[bench\]\]\n(?:(?!\[).*\n|\[\[bench\]\]\n)*", "", manifest.read_text())
    text = re.sub(r"\[dev-dependencies\.criterion\]\nversion = .*\n", "", text)
    manifest.write_text(
        text
        + '[dev-dependencies.redis-test]\nversion = "=1.0.4"\n'
        + '[dev-dependencies.test-macros]\npath = "macros"\n'
        + '[patch.crates-io]\nredis = { path = "." }\n'
    )
    (source / "Cargo.lock").unlink(missing_ok=True)
    shutil.copytree(HERE / "redis-rs", source / "macros")


class NodeTest(Suite):
    """A program of ours with an npm package that contains no tests, under node/."""

    tools = (("node", "nodejs"), ("npm", "npm"))

    def __init__(self, name, package, version, needs=(), variants=("",)):
        self.name = name
        self.package = package
        self.version = version
        self.needs = needs
        self.variants = variants
        self.servers = {7398: []}
        self.about = f"{package} {version} of npm contains no tests: ours, node/{name}.js"

    def fetch(self, folder, work, log):
        work.mkdir()
        (work / "package.json").write_text("{}")
        must(["npm", "install", "--no-audit", "--no-fund", f"{self.package}@{self.version}", *self.needs], work, log)
        return work

    def run(self, folder, variant, left_out, only, program):
        report, log = folder / "report.xml", folder / (f"{variant}.log" if variant else "log")
        report.unlink(missing_ok=True)
        log.write_bytes(b"")
        command = ["node", "--test", "--test-timeout=60000", "--test-reporter=junit", f"--test-reporter-destination={report}"]
        if only:
            command.append(f"--test-name-pattern={only}")
        environment = {"NODE_PATH": str(self.source(folder) / "node_modules"), "PORT": "7398", "RESP": variant[-1:]}
        call([*command, str(HERE / "node" / f"{self.name}.js")], folder, log, environment=environment)
        return junit(report, lambda case: case.get("name"))


class Scenario(Suite):
    """The scenario of scenario.py by a program under scenario/, against a cluster or sentinels."""

    servers = {}
    variants = ("",)

    def __init__(self, client, kind, registry, package, version):
        self.name = f"{client}-{kind}"
        self.client = client
        self.kind = kind
        self.package = package
        self.version = version
        self.about = f"{package} {version} of {registry}: ours, scenario/{client}"

    def run(self, folder, variant, left_out, only, program):
        command, environment = self.command(folder)
        try:
            results = scenario.play(self.kind, program, command, folder, folder / "log", environment)
        except Unreachable as reason:
            raise Missing(f"{reason}; see {folder}") from reason
        return {step: result for step, result in results.items() if not only or only in step}

    def command(self, folder):
        """The command that runs the program, and additions to its environment."""
        raise NotImplementedError


class PythonScenario(Scenario):
    tools = (("redis-cli", "redis-tools"),)

    def fetch(self, folder, work, log):
        must([sys.executable, "-m", "venv", str(work)], folder, log)
        pip = [str(work / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "-q"]
        must([*pip, "install", f"{self.package}=={self.version}"], folder, log)
        return work

    def command(self, folder):
        return [str(self.source(folder) / "bin" / "python"), str(HERE / "scenario" / f"{self.client}.py")], {}


class NodeScenario(Scenario):
    tools = (*NodeTest.tools, ("redis-cli", "redis-tools"))
    fetch = NodeTest.fetch
    needs = ()

    def command(self, folder):
        environment = {"NODE_PATH": str(self.source(folder) / "node_modules")}
        return ["node", str(HERE / "scenario" / f"{self.client}.js")], environment


class GoScenario(Scenario):
    tools = (("go", "golang-go"), ("redis-cli", "redis-tools"))

    def fetch(self, folder, work, log):
        work.mkdir()
        must(["go", "mod", "init", "scenario"], work, log)
        must(["go", "get", f"{self.package}@v{self.version}"], work, log)
        return work

    def command(self, folder):
        source = self.source(folder)
        shutil.copy(HERE / "scenario" / f"{self.client}.go", source / "main.go")
        must(["go", "build", "-o", "scenario", "."], source, folder / "prepare.log")
        return [str(source / "scenario")], {}


def spec_name(case):
    """The name of a spec of Ginkgo, without its kind and labels; empty for setup and teardown of the suite."""
    name = re.sub(r" \[[^\]]*\]$", "", case.get("name"))
    return name.removeprefix("[It] ") if name.startswith("[It] ") else None


def pattern(name):
    """A Go regular expression for a name on a list."""
    quoted = re.sub(r"([.+*?()|\[\]{}^$\\])", r"\\\1", name.removesuffix("*").partition(":")[2] or name.removesuffix("*"))
    return quoted if name.endswith("*") else quoted + "$"


def as_redis(source):
    """Makes fakeredis expect Redis's behaviour from ours: it takes the name in INFO's server_name for a kind of server."""
    path = source / "test" / "conftest.py"
    path.write_text(path.read_text().replace('if "server_name" in client_info:', 'if "valkey_version" in client_info:'))


# go-redis tests about servers of other kinds, and modules.
GO_REDIS_OTHERS = (
    "Sentinel|Cluster|TLS|RediSearch|JSON|Probabilistic|RedisTimeseries|TS\\.|FT\\.|VectorSet|Failover|UniversalClient"
    "|Go-Redis Advanced|cluster races|Command Tips"
)


def with_single_servers(source):
    """Makes go-redis's suite expect single servers only."""
    path = source / "main_test.go"
    text = path.read_text()
    start = text.index("\t\tsentinelMaster, err = connectTo")
    text = text[:start] + text[text.index("\t}\n})", start) :]
    text = re.sub(r"\t\tExpect\(cluster\.Close\(\)\).*\n\t\tcleanupTLSCluster\(\)\n", "", text)
    path.write_text(text)


# redis-py tests about the client alone, or a server of another kind (a cluster, Sentinel, modules, TLS, a proxy).
REDIS_PY_OTHERS = (
    "maint_notifications test_auth test_http test_multidb test_observability test_scenario test_bloom.py"
    " test_cluster.py test_cluster_transaction.py test_json.py test_search*.py test_sentinel*.py test_ssl.py"
    " test_timeseries.py"
).split()

SUITES = [
    Pytest(
        "redis-py",
        "redis",
        "8.1.0",
        ["tests"],
        {6379: [], 6380: ["--replicaof", "127.0.0.1 6379"]},
        [
            "pytest-asyncio",
            "numpy",
            "pybreaker",
            "aiohttp",
            "xxhash",
            "redis-entraid",
            "opentelemetry-sdk",
            "opentelemetry-exporter-otlp-proto-http",
        ],
        variants=("resp2", "resp3"),
        flags=[
            "--protocol={variant}",
            "--redis-url=redis://127.0.0.1:6379/0",
            "-m",
            "not onlycluster and not redismod and not ssl and not cp_integration and not multidb_integration",
            *(f"--ignore-glob=tests/{name}" for name in REDIS_PY_OTHERS),
            *(f"--ignore-glob=tests/test_asyncio/{name}" for name in REDIS_PY_OTHERS),
        ],
    ),
    Pytest(
        "fakeredis",
        "fakeredis",
        "2.40.0",
        ["test/test_mixins", "test/test_async", "test/test_keyspace_notifications.py"],
        {6390: []},
        ["pytest-asyncio", "pytest-mock", "hypothesis", "lupa", "valkey", "xxhash", "numpy", "jsonpath-ng", "pyprobables"],
        flags=["-m", "real"],
        adapt=as_redis,
    ),
    Pytest(
        "kombu",
        "kombu",
        "5.7.0",
        ["t/integration/test_redis.py", "t/integration/test_redis_brpop_qos.py", "t/unit/transport/test_redis.py"],
        {7398: []},
        ["redis", "pytest-freezer", "hypothesis"],
        environment={"REDIS_6379_TCP": "7398"},
    ),
    Pytest("rq", "rq", "3.0.0", ["tests"], {6379: []}, ["psutil"], environment={"RUN_SLOW_TESTS_TOO": "1"}),
    GoTest(
        "go-redis",
        "github.com/redis/go-redis/v9",
        "9.23.0",
        ["."],
        {6379: [], 6390: [], 6391: [], 6392: []},
        ginkgo_skip=GO_REDIS_OTHERS,
        adapt=with_single_servers,
        environment={"REDIS_VERSION": "8.0", "RCE_DOCKER": "true"},
    ),
    GoTest("asynq", "github.com/hibiken/asynq", "0.26.0", ["./..."], {6379: []}),
    CargoTest(
        "redis-rs",
        "redis",
        "1.8.1",
        "test_basic test_async test_streams test_geospatial test_acl test_script test_types test_digest_utils".split(),
        "tokio-comp,connection-manager",
        with_own_macro,
    ),
    NodeTest("ioredis", "ioredis", "6.0.0"),
    NodeTest("node-redis", "redis", "6.3.1", variants=("resp2", "resp3")),
    NodeTest("bullmq", "bullmq", "6.7.0", needs=["ioredis@6.0.0"]),
    *(PythonScenario("redis-py", kind, "PyPI", "redis", "8.1.0") for kind in scenario.STEPS),
    *(NodeScenario("ioredis", kind, "npm", "ioredis", "6.0.0") for kind in scenario.STEPS),
    *(NodeScenario("node-redis", kind, "npm", "redis", "6.3.1") for kind in scenario.STEPS),
    *(GoScenario("go-redis", kind, "the Go modules", "github.com/redis/go-redis/v9", "9.23.0") for kind in scenario.STEPS),
]
