"""A plugin of pytest that runs Google's tests in the form that they have for production.

The tests leave out what an emulator lacks if FIRESTORE_EMULATOR_HOST is set when they are imported.
The client looks for it when it is made. So it is set in between, to the address of the server.

Writes the outcome of each test to the file CLIENT_TESTS_OUTCOMES.
"""

import os

import google.auth
import pytest
import test__helpers  # noqa: F401 (looks for the variable)
from bootstrap_vector_index import create_vector_documents
from google.auth.credentials import AnonymousCredentials

PROJECT = os.environ["GCLOUD_PROJECT"]
os.environ["FIRESTORE_EMULATOR_HOST"] = os.environ["CLIENT_TESTS_ADDRESS"]
google.auth.default = lambda *_, **__: (AnonymousCredentials(), PROJECT)

# From the least to the gravest. A test may have several: of its set-up, of the call, of the
# pipelines that it compares with its queries, and of its teardown.
OUTCOMES = ["passed", "skipped", "passed without pipelines", "failed"]
outcomes = {}


def pytest_sessionstart():
    """Stores the documents that the tests of vectors expect in their project."""
    from google.cloud import firestore

    create_vector_documents(firestore.Client(project=PROJECT), "vector_search")


def pytest_runtest_logreport(report):
    # Subtests are the comparisons with pipelines, and nothing else.
    if type(report).__name__ == "SubTestReport":
        outcome = "passed without pipelines" if report.failed else "passed"
    else:
        outcome = report.outcome
    name = report.nodeid
    known = outcomes.get(name, "passed")
    outcomes[name] = max(known, outcome, key=OUTCOMES.index)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish():
    with open(os.environ["CLIENT_TESTS_OUTCOMES"], "w") as file:
        for name, outcome in outcomes.items():
            file.write(f"{name}: {outcome}\n")
