"""
The clusters and sentinels of the scenarios, and the changes that a scenario orders.

Ours run in one process, those of another server program in one process for each node; everything else goes through
redis-cli, so that both are treated the same.
"""

import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
OURS = str(ROOT / "bin" / "redis-server")
HOST = "127.0.0.1"
REPLICAS = 2
SLOTS_MOVED = 1000
PATIENCE_SECONDS = 60
BUILD_SECONDS = 1800  # the launcher builds the program if its sources are newer


class Unreachable(Exception):
    """A state that a deployment did not reach in time."""


def ask(port, *words):
    """The output of a command by redis-cli; an error reply and a lost connection are text as well."""
    command = ["redis-cli", "-h", HOST, "-p", str(port), *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_SECONDS)
    return done.stdout.strip() + done.stderr.strip()


def until(event, condition, seconds=PATIENCE_SECONDS):
    """Waits until a condition holds and returns its value."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        if time.monotonic() > end:
            raise Unreachable(f"never {event}")
        time.sleep(0.02)
    return value


def fields(text):
    """The lines "name:value" of a reply such as that to INFO."""
    return dict(line.strip().split(":", 1) for line in text.splitlines() if ":" in line)


def free_ports(count):
    """Free ports whose bus ports, 10,000 higher, exist as well."""
    sockets, ports = [], []
    while len(ports) < count:
        probe = socket.socket()
        probe.bind((HOST, 0))
        sockets.append(probe)
        if probe.getsockname()[1] < 55000:
            ports.append(probe.getsockname()[1])
    for probe in sockets:
        probe.close()
    return ports


class Deployment:
    """Processes in a folder of their own, which end with it."""

    def __init__(self, program, folder):
        self.program = program
        self.folder = folder / "nodes"
        self.processes = []
        self.process_of = {}
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *unused):
        self.stop()

    def launch(self, *command, name="kermes"):
        """Starts a process with its output in a file; returns that file."""
        log = self.folder / f"{name}.log"
        with open(log, "wb") as output:
            process = subprocess.Popen(
                list(map(str, command)), stdin=subprocess.PIPE, stdout=output, stderr=output, cwd=self.folder
            )
        self.processes.append(process)
        return log

    def launch_ours(self, *arguments):
        """Starts a program of the launcher; returns its lines "role host:port" as pairs of role and port."""
        log = self.launch(ROOT / "kermes", *arguments, "--orders", "stdin")
        lines = until(f"ready: {log}", lambda: self.lines_when_ready(log), BUILD_SECONDS)
        nodes = [line.split() for line in lines if len(line.split()) == 2 and f" {HOST}:" in line]
        return [(role, int(address.rpartition(":")[2])) for role, address in nodes]

    def lines_when_ready(self, log):
        if self.processes[-1].poll() is not None:
            raise Unreachable(f"the program ended; its log is {log}")
        text = log.read_text()
        return text.splitlines() if "Ready: " in text else None

    def launch_node(self, port, *options):
        folder = self.folder / str(port)
        folder.mkdir()
        self.launch(self.program, "--port", port, "--dir", folder, "--save", "", *options, name=port)
        self.process_of[port] = self.processes[-1]
        until(f"started: port={port}", lambda: ask(port, "PING") == "PONG")

    def suspend(self, port):
        """Freezes a server: it accepts connections, and answers nothing."""
        self.order("freeze", signal.SIGSTOP, port)

    def resume(self, port):
        self.order("thaw", signal.SIGCONT, port)

    def order(self, verb, its_signal, port):
        if self.program == OURS:
            self.processes[0].stdin.write(f"{verb} {port}\n".encode())
            self.processes[0].stdin.flush()
        else:
            self.process_of[port].send_signal(its_signal)

    def stop(self):
        for process in self.processes:
            process.send_signal(signal.SIGTERM)
        for process in self.processes:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def end(port):
    """Ends a server at once."""
    ask(port, "SHUTDOWN", "NOSAVE", "NOW", "FORCE")


class Cluster(Deployment):
    """Three masters with two replicas each."""

    name = "cluster"
    masters = 3

    def start(self):
        if self.program == OURS:
            nodes = self.launch_ours("cluster", "--port", 0, "--masters", self.masters, "--replicas", REPLICAS)
            self.ports = [port for _, port in nodes]
            return
        self.ports = free_ports(self.masters * (1 + REPLICAS))
        for port in self.ports:
            self.launch_node(port, "--cluster-enabled", "yes", "--cluster-node-timeout", 2000)
        addresses = [f"{HOST}:{port}" for port in self.ports]
        made = ask(self.ports[0], "--cluster", "create", *addresses, "--cluster-replicas", REPLICAS, "--cluster-yes")
        if "All 16384 slots covered" not in made:
            raise Unreachable(f"cannot create a cluster: {made}")
        self.await_agreement()

    def addresses(self):
        return [f"{HOST}:{port}" for port in self.ports]

    def nodes(self, port):
        """The nodes as one of them sees them: id, port, flags, id of the master."""
        rows = [line.split() for line in ask(port, "CLUSTER", "NODES").splitlines()]
        return [(row[0], int(row[1].partition("@")[0].rpartition(":")[2]), row[2], row[3]) for row in rows if len(row) > 7]

    def master_list(self):
        return sorted(row for row in self.nodes(self.ports[0]) if "master" in row[2] and "fail" not in row[2])

    def replicas_of(self, node):
        return [row[1] for row in self.nodes(self.ports[0]) if row[3] == node]

    def await_agreement(self):
        """Waits until all nodes name the same masters, and all replicas have the data of their master."""
        until("one view of the cluster", lambda: len({self.view(port) for port in self.ports}) == 1)
        for port in self.ports:
            until(f"in sync: port={port}", lambda port=port: self.is_in_sync(port))

    def view(self, port):
        masters = sorted(row[0] for row in self.nodes(port) if "master" in row[2] and "fail" not in row[2])
        return (fields(ask(port, "CLUSTER", "INFO")).get("cluster_state"), *masters)

    @staticmethod
    def is_in_sync(port):
        state = fields(ask(port, "INFO", "replication"))
        return state.get("role") == "master" or state.get("master_link_status") == "up"

    def reshard(self):
        source, target = self.master_list()[:2]
        told = ["--cluster-from", source[0], "--cluster-to", target[0], "--cluster-slots", SLOTS_MOVED, "--cluster-yes"]
        said = ask(source[1], "--cluster", "reshard", f"{HOST}:{source[1]}", *told)
        moved = said.count("Moving slot ") // 2
        if moved != SLOTS_MOVED or "rror" in said:
            raise Unreachable(f"resharded {moved} slots: {said[-300:]}")

    def failover(self):
        replica = self.replicas_of(self.master_list()[0][0])[0]
        reply = ask(replica, "CLUSTER", "FAILOVER")
        if reply != "OK":
            raise Unreachable(f"CLUSTER FAILOVER: {reply}")
        until("taken over", lambda: fields(ask(replica, "INFO", "replication")).get("role") == "master")
        self.await_agreement()

    def freeze(self):
        """Freezes a master until a replica has taken over."""
        node, port, _, _ = next(row for row in self.master_list() if row[1] != self.ports[0])
        heirs = self.replicas_of(node)
        self.suspend(port)
        until("replaced", lambda: any(row[1] in heirs for row in self.master_list()))
        self.resume(port)
        self.await_agreement()

    def kill(self):
        node, port, _, _ = next(row for row in self.master_list() if row[1] != self.ports[0])
        heirs = self.replicas_of(node)
        end(port)
        self.ports.remove(port)
        until("replaced", lambda: any(row[1] in heirs for row in self.master_list()))
        self.await_agreement()


class Sentinels(Deployment):
    """A master with two replicas, which three sentinels watch as mymaster."""

    name = "sentinel"
    sentinels = 3
    down_after_millis = 1000

    def start(self):
        self.start_nodes()
        # Twice this time must pass between two failovers.
        for port in self.ports:
            ask(port, "SENTINEL", "SET", "mymaster", "failover-timeout", 2 * self.down_after_millis)

    def start_nodes(self):
        if self.program == OURS:
            ports = ["--port", 0, "--sentinel-port", 0, "--replicas", REPLICAS, "--sentinels", self.sentinels]
            nodes = self.launch_ours("sentinel", *ports, "--down-after-milliseconds", self.down_after_millis)
            self.ports = [port for role, port in nodes if role == "sentinel"]
            return
        master, *replicas = free_ports(1 + REPLICAS)
        self.launch_node(master, "--repl-diskless-sync-delay", 0)
        for port in replicas:
            self.launch_node(port, "--replicaof", f"{HOST} {master}")
        until("replicas", lambda: fields(ask(master, "INFO", "replication")).get("connected_slaves") == str(REPLICAS))
        self.ports = free_ports(self.sentinels)
        for port in self.ports:
            self.launch_sentinel(port, master)
        for port in self.ports:
            until(f"complete: port={port}", lambda port=port: self.is_complete(port))

    def launch_sentinel(self, port, master):
        configuration = self.folder / f"sentinel-{port}.conf"
        configuration.write_text(
            f"port {port}\nsentinel monitor mymaster {HOST} {master} 2\n"
            f"sentinel down-after-milliseconds mymaster {self.down_after_millis}\n"
        )
        self.launch(self.program, configuration, "--sentinel", name=port)
        until(f"started: port={port}", lambda: ask(port, "PING") == "PONG")

    def is_complete(self, port):
        words = ask(port, "SENTINEL", "MASTER", "mymaster").split()
        state = dict(zip(words[::2], words[1::2]))
        return (state.get("num-slaves"), state.get("num-other-sentinels")) == (str(REPLICAS), str(self.sentinels - 1))

    def addresses(self):
        return [f"{HOST}:{port}" for port in self.ports]

    def master(self):
        """The port of the master, when all sentinels name the same; else 0."""
        named = {ask(port, "SENTINEL", "GET-MASTER-ADDR-BY-NAME", "mymaster") for port in self.ports}
        return int(named.pop().split()[1]) if len(named) == 1 else 0

    def await_other_master(self, former, replicas):
        port = until("replaced", lambda: (now := self.master()) != former and now)
        until("replicas", lambda: int(fields(ask(port, "INFO", "replication")).get("connected_slaves", 0)) >= replicas)

    def failover(self):
        former = self.master()
        reply = ask(self.ports[0], "SENTINEL", "FAILOVER", "mymaster")
        if reply != "OK":
            raise Unreachable(f"SENTINEL FAILOVER: {reply}")
        self.await_other_master(former, REPLICAS)

    def freeze(self):
        """Freezes the master until a replica has taken over."""
        former = self.master()
        self.suspend(former)
        until("replaced", lambda: self.master() not in (0, former))
        self.resume(former)
        self.await_other_master(former, REPLICAS)

    def kill(self):
        former = self.master()
        end(former)
        self.await_other_master(former, REPLICAS - 1)
