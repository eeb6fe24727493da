"""The tokens of a server that signs them, verified as another server does: by its JWKS, with a library
for JSON web tokens that knows nothing of Firebase.

The address of the server is in HEARTH_ADDRESS, the project in GCLOUD_PROJECT, an administrator's token
in HEARTH_TOKEN, and the folder of the mail, in which each link is a file, in HEARTH_MAIL.
"""

import base64
import json
import os
import pathlib
import time
import urllib.error
import urllib.parse
import urllib.request

import jwt

address = os.environ["HEARTH_ADDRESS"]
project = os.environ["GCLOUD_PROJECT"]
administrator = {"Authorization": f"Bearer {os.environ['HEARTH_TOKEN']}"}
mail = pathlib.Path(os.environ["HEARTH_MAIL"])
checks = 0


def check(condition, text):
    global checks
    checks += 1
    if not condition:
        raise SystemExit(f"Failed: {text}")


def send(path, fields=None, headers=None):
    """Makes a request, and returns its status and answer."""
    request = urllib.request.Request(
        f"http://{address}{path}",
        data=None if fields is None else json.dumps(fields).encode(),
        headers={"Content-Type": "application/json", **(headers or {})},
    )
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        body = error.read()
        # An address that isn't served is refused in plain text.
        return error.code, json.loads(body) if body.startswith(b"{") else {}


def client(name, **fields):
    return send(f"/v1/accounts:{name}?key=a-key", fields)[1]


discovery = send("/.well-known/openid-configuration")[1]
keys = jwt.PyJWKClient(f"http://{address}/.well-known/jwks.json")


def verified(token, issuer=None, **options):
    """Returns the claims of a token, as a server that trusts the issuer reads them."""
    return jwt.decode(
        token, keys.get_signing_key_from_jwt(token).key, algorithms=["RS256"], audience=project,
        issuer=issuer or discovery["issuer"], options={"require": ["exp", "iat", "sub"]}, **options)


def refused(error, token, **options):
    """Checks that a token is refused with an error of a class."""
    try:
        verified(token, **options)
    except error:
        check(True, "")
        return
    raise SystemExit(f"Failed: a token isn't refused with {error.__name__}")


def changed(token, part, change):
    """Returns a token with other JSON in a part, and the old signature."""
    parts = token.split(".")
    padded = parts[part] + "=" * (-len(parts[part]) % 4)
    members = {**json.loads(base64.urlsafe_b64decode(padded)), **change}
    text = json.dumps(members, separators=(",", ":")).encode()
    parts[part] = base64.urlsafe_b64encode(text).rstrip(b"=").decode()
    return ".".join(parts)


def id_tokens():
    user = client("signUp", email="ada@example.com", password="secret1")
    token = user["idToken"]
    claims = verified(token)
    check(claims["sub"] == user["localId"] and claims["user_id"] == user["localId"], "the user")
    check(claims["exp"] == claims["iat"] + 3600, "the lifetime")
    check(claims["firebase"]["sign_in_provider"] == "password", "the way of the sign-in")
    check(discovery["issuer"] == f"https://securetoken.google.com/{project}", "the issuer")
    check(jwt.get_unverified_header(token)["alg"] == "RS256", "the algorithm")
    refused(jwt.InvalidSignatureError, changed(token, 1, {"sub": "someone-else"}))
    refused(jwt.InvalidSignatureError, changed(token, 1, {"exp": claims["exp"] + 3600}))
    refused(jwt.InvalidAlgorithmError, changed(token, 0, {"alg": "none"}))
    refused(jwt.PyJWKClientError, changed(token, 0, {"kid": "another"}))
    refused(jwt.InvalidIssuerError, token, issuer="https://securetoken.google.com/another")
    head, body, signature = token.split(".")
    refused(jwt.InvalidSignatureError, f"{head}.{body}.{signature[:-8]}AAAAAAAA")


def session_cookies():
    user = client("signInWithPassword", email="ada@example.com", password="secret1")
    status, answer = send(
        f"/v1/projects/{project}:createSessionCookie",
        {"idToken": user["idToken"], "validDuration": 3600}, administrator)
    check(status == 200, f"a session cookie: {answer}")
    cookie = answer["sessionCookie"]
    issuer = f"https://session.firebase.google.com/{project}"
    check(verified(cookie, issuer=issuer)["sub"] == user["localId"], "the cookie's user")
    # One is no ID token.
    refused(jwt.InvalidIssuerError, cookie)
    refused(jwt.InvalidSignatureError, changed(cookie, 1, {"sub": "another"}), issuer=issuer)


def custom_claims():
    user = client("signInWithPassword", email="ada@example.com", password="secret1")
    send(
        f"/v1/projects/{project}/accounts:update",
        {"localId": user["localId"], "customAttributes": '{"admin": true}'}, administrator)
    status, answer = send(
        "/v1/token?key=a-key",
        {"grantType": "refresh_token", "refreshToken": user["refreshToken"]})
    check(status == 200 and verified(answer["id_token"])["admin"] is True, "a custom claim")


def mailed_link(kind):
    """Returns the link in a message that the server sends without a wait."""
    path = mail / kind
    for _ in range(600):
        link = path.read_text() if path.exists() else ""
        if link:
            return link
        time.sleep(0.1)
    raise SystemExit(f"There is no mail: {kind}")


def mailed_codes():
    sent = client("sendOobCode", requestType="PASSWORD_RESET", email="ada@example.com")
    check(sent.get("email") == "ada@example.com", f"a reset: {sent}")
    link = urllib.parse.urlparse(mailed_link("PASSWORD_RESET"))
    code = urllib.parse.parse_qs(link.query)["oobCode"][0]
    check("email" in client("resetPassword", oobCode=code, newPassword="secret2"), "the code")
    check("error" in client("resetPassword", oobCode=code, newPassword="secret3"), "its second use")
    user = client("signInWithPassword", email="ada@example.com", password="secret2")
    check(verified(user["idToken"])["email_verified"] is True, "the verified address")


def nothing_of_emulators():
    check(send(f"/emulator/v1/projects/{project}/oobCodes")[0] == 404, "codes at /emulator/")
    status, answer = send(
        f"/v1/projects/{project}/accounts:batchGet", headers={"Authorization": "Bearer owner"})
    check(status == 401 and answer["error"]["status"] == "UNAUTHENTICATED", "Bearer owner")


for course in [id_tokens, session_cookies, custom_claims, mailed_codes, nothing_of_emulators]:
    course()
    print(f"{course.__name__}: passed")
print(f"{checks} checks passed.")
