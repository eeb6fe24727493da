"""Makes calls of one kind by Google's client, of which some are in flight all the time, on the
documents of SampleTasks.swift. Prints the figures as JSON. ServerLoad starts it.

    FIRESTORE_EMULATOR_HOST=127.0.0.1:PORT python python_load.py KIND IN_FLIGHT DOCUMENTS SECONDS
"""

import json
import random
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from google.cloud.firestore import Client, Query
from google.cloud.firestore_v1.base_query import FieldFilter

kind, in_flight, documents, seconds = (
    sys.argv[1],
    int(sys.argv[2]),
    int(sys.argv[3]),
    float(sys.argv[4]),
)
# As in an application, all threads share a client.
tasks = Client(project="demo-load").collection("tasks")


def of_a_user():
    user = random.randrange(documents) // 200
    return tasks.where(filter=FieldFilter("user", "==", f"user{user}"))


def get():
    assert tasks.document(f"t{random.randrange(documents)}").get().exists


def page():
    newest = of_a_user().order_by("time", direction=Query.DESCENDING)
    assert len(newest.limit(20).get()) == 20


def count():
    assert of_a_user().count().get()[0][0].value > 0


def commit():
    # Tasks of users that no other call asks for.
    number = random.randrange(2**40, 2**41)
    tasks.document(f"t{number}").set(
        {
            "user": f"user{number // 200}",
            "time": number,
            "title": f"Buy milk and bread for the weekend, {number}, 0",
            "done": number % 3 == 0,
            "priority": number % 5,
            "estimate": number % 100 / 4,
        }
    )


call = {"get": get, "page of 20": page, "count": count, "commit": commit}[kind]


def call_until(end):
    """Makes one call after the other, and returns their times."""
    times = []
    while not times or time.perf_counter() < end:
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return times


def load(threads, duration):
    end = time.perf_counter() + duration
    return [each for times in threads.map(call_until, [end] * in_flight) for each in times]


with ThreadPoolExecutor(in_flight) as threads:
    first = load(threads, min(1, seconds))
    start = time.perf_counter()
    times = sorted(load(threads, seconds))
    duration = time.perf_counter() - start

print(
    json.dumps(
        {
            "p50": times[len(times) // 2],
            "p99": times[len(times) * 99 // 100],
            "callsPerSecond": len(times) / duration,
            "calls": len(first) + len(times),
        }
    )
)
