"""The course of Firebase's tutorials over the wire: anonymous users with tasks of their own, rules that
let only the owner read, the link with Apple, and the way out of a credential that is in use.

The sign-in is made of the requests of iOS's library. The documents go through Google's client for Python,
with the tokens of the users. The address of the server is in FIRESTORE_EMULATOR_HOST, the project in
GCLOUD_PROJECT; the server has the rules of tutorial.rules.
"""

import hashlib
import json
import os
import queue
import urllib.error
import urllib.parse
import urllib.request

from google.api_core import exceptions
from google.cloud import firestore
from google.cloud.firestore_v1.base_query import FieldFilter

address = os.environ["FIRESTORE_EMULATOR_HOST"]
project = os.environ["GCLOUD_PROJECT"]
checks = 0


def check(condition, text):
    global checks
    checks += 1
    if not condition:
        raise SystemExit(f"Failed: {text}")


class Auth:
    """The user who is signed in, as an application keeps it."""

    def __init__(self):
        self.user = None

    def call(self, name, **fields):
        request = urllib.request.Request(
            f"http://{address}/www.googleapis.com/identitytoolkit/v3/relyingparty/{name}?key=a-key",
            data=json.dumps({**fields, "returnSecureToken": True}).encode(),
            headers={"Content-Type": "application/json"})
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def sign_in_anonymously(self):
        self.user = self.call("signupNewUser", clientType="CLIENT_TYPE_IOS")

    def link(self, credential):
        """Links a credential. Returns the one to sign in with if it is another user's."""
        answer = self.call(
            "verifyAssertion", requestUri="http://localhost", postBody=credential,
            idToken=self.user["idToken"], returnIdpCredential=True, autoCreate=True)
        if answer.get("errorMessage") == "FEDERATED_USER_ID_ALREADY_LINKED":
            return answer["pendingToken"]
        self.user = answer
        return None

    def sign_in(self, pending_token):
        self.user = self.call(
            "verifyAssertion", requestUri="http://localhost", pendingToken=pending_token)

    def rename(self, name):
        self.call("setAccountInfo", idToken=self.user["idToken"], displayName=name)

    def details(self):
        return self.call("getAccountInfo", idToken=self.user["idToken"])["users"][0]

    @property
    def uid(self):
        return self.user["localId"]


class UserClient(firestore.Client):
    """Google's client, which calls for the user who is signed in."""

    def __init__(self, auth):
        super().__init__(project=project)
        self.auth = auth

    @property
    def _rpc_metadata(self):
        prefix = [item for item in super()._rpc_metadata if item[0] != "authorization"]
        return prefix + [("authorization", f"Bearer {self.auth.user['idToken']}")]


class TaskRepository:
    """The tasks of the user who is signed in."""

    def __init__(self, auth):
        self.auth = auth
        self.database = UserClient(auth)
        self.tasks = self.database.collection("tasks")

    def of(self, uid):
        return self.tasks.where(filter=FieldFilter("userId", "==", uid))

    def add(self, title):
        self.tasks.add({"title": title, "userId": self.auth.uid})

    def remove_all(self):
        found = self.of(self.auth.uid).get()
        for task in found:
            task.reference.delete()
        return [task.get("title") for task in found]

    def take(self, titles):
        batch = self.database.batch()
        for title in titles:
            batch.set(self.tasks.document(), {"title": title, "userId": self.auth.uid})
        batch.commit()

    def listen(self):
        return Listener(self.of(self.auth.uid))


class Listener:
    """The titles of a query's results, as they change."""

    def __init__(self, query):
        self.seen = queue.Queue()
        self.watch = query.on_snapshot(
            lambda documents, _, __: self.seen.put(sorted(d.get("title") for d in documents)))

    def until(self, titles):
        # The server is lost if it says nothing for a minute.
        while self.seen.get(timeout=60) != titles:
            pass
        check(True, "")


def apple_credential(subject, nonce):
    """Apple's token as an emulator takes it, with the hash of the nonce."""
    token = {"sub": subject, "email": "ada@example.com",
             "nonce": hashlib.sha256(nonce.encode()).hexdigest()}
    return urllib.parse.urlencode(
        {"providerId": "apple.com", "id_token": json.dumps(token), "nonce": nonce})


def denied(call, *arguments):
    try:
        call(*arguments)
    except exceptions.PermissionDenied as error:
        check("Missing or insufficient permissions." in str(error), f"the refusal: {error}")
        return
    raise SystemExit(f"Failed: {call} isn't refused")


auth = Auth()
repository = TaskRepository(auth)

# An anonymous user has tasks, and the link with Apple keeps them.
auth.sign_in_anonymously()
first = auth.uid
own = repository.listen()
own.until([])
repository.add("milk")
own.until(["milk"])
check(auth.link(apple_credential("apple-1", "one")) is None, "the link")
check(auth.uid == first, "the linked user is the same")
auth.rename("Ada")
repository.add("tea")
own.until(["milk", "tea"])
own.watch.unsubscribe()

# Another one sees and makes none of them.
auth.sign_in_anonymously()
second = auth.uid
check(second != first, "the user is another one")
denied(repository.of(first).get)
denied(repository.tasks.document().set, {"title": "x", "userId": first})
repository.add("bread")

# The credential is in use: the tasks move to the account that has it.
pending = auth.link(apple_credential("apple-1", "two"))
check(pending is not None, "the credential is in use")
moved = repository.remove_all()
check(moved == ["bread"], "the tasks to move")
auth.sign_in(pending)
check(auth.uid == first and auth.details()["displayName"] == "Ada", "the first user")
repository.take(moved)
all_tasks = repository.listen()
all_tasks.until(["bread", "milk", "tea"])
all_tasks.watch.unsubscribe()

# No one who isn't signed in reads them.
try:
    urllib.request.urlopen(
        f"http://{address}/v1/projects/{project}/databases/(default)/documents/tasks")
    raise SystemExit("Failed: a stranger reads the tasks")
except urllib.error.HTTPError as error:
    check(error.code == 403, "a stranger")
print(f"tutorial: passed\n{checks} checks passed.")
