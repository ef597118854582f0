"""
One scenario for clients of a cluster or of sentinels: keys, a pipeline, transactions and messages, then changes under a
load of writes. The programs under scenario/ follow it, each with one client.

A program reads DEPLOYMENT (cluster or sentinel) and NODES (host:port,...) from its environment. It prints one JSON object
a line:

  {"act": "reshard"}                            orders a change of the deployment; when it is done a line comes back
  {"step": "keys", "errors": {"text": 3}}       the end of a step, with the number of each error that writes met
  {"step": "keys", "failure": "text"}           the same when a check failed or a write was lost
"""

import json
import os
import re
import subprocess
import threading

from deployments import Cluster, Sentinels

STEPS = {
    "cluster": ["keys", "pipeline", "transaction", "messages", "shard messages", "reshard", "failover", "freeze", "kill"],
    "sentinel": ["keys", "pipeline", "transaction", "messages", "failover", "freeze", "kill"],
}
DEPLOYMENTS = {each.name: each for each in (Cluster, Sentinels)}
TIMEOUT_SECONDS = 300

# Error replies of a real server that changes its role or its slots; clients have texts of their own for lost connections.
EXPECTED = "MOVED ASK TRYAGAIN CLUSTERDOWN MASTERDOWN LOADING READONLY UNBLOCKED".split()


def play(kind, program, command, folder, log, environment):
    """Runs a client's program against a new deployment; returns the verdict of each step, with its detail."""
    results = {step: ("err", "not reached") for step in STEPS[kind]}
    with DEPLOYMENTS[kind](program, folder) as deployment, open(log, "wb") as output:
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=output,
            text=True,
            env=dict(os.environ, DEPLOYMENT=kind, NODES=",".join(deployment.addresses()), **environment),
        )
        watchdog = threading.Timer(TIMEOUT_SECONDS, process.kill)
        watchdog.start()
        try:
            for line in process.stdout:
                output.write(line.encode())
                output.flush()
                follow(kind, json.loads(line), deployment, process, results)
        finally:
            watchdog.cancel()
            process.kill()
            process.wait()
    return results


def follow(kind, said, deployment, process, results):
    if "act" in said:
        getattr(deployment, said["act"])()
        process.stdin.write("done\n")
        process.stdin.flush()
    elif "failure" in said:
        results[said["step"]] = ("err", said["failure"])
    else:
        wrong = unexpected(kind, said["step"], said["errors"])
        results[said["step"]] = ("err", "\n".join(wrong)) if wrong else ("ok", "")


def unexpected(kind, step, errors):
    """The errors that a real deployment does not give."""
    if kind == "cluster" and step not in ("freeze", "kill"):
        return [f"{text} (times: {count})" for text, count in errors.items()]
    return [text for text in errors if is_unexpected(text)]


def is_unexpected(text):
    """Whether an error is a reply, which begins with a word in capitals, and not one of a change."""
    # Clients put the name of an exception before it; redis-py leaves out ERR.
    word = re.search(r"(?:^|: )([A-Z]{3,}) ", text)
    return word[1] not in EXPECTED if word else text.startswith("ResponseError: ")
