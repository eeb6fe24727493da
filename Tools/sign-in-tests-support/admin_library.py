"""Calls of Firebase's admin library for Python on the accounts of a server, each with a check.

The address of the server is in FIREBASE_AUTH_EMULATOR_HOST, the project in GCLOUD_PROJECT.
"""

import datetime
import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request

import firebase_admin
from firebase_admin import auth, exceptions

address = os.environ["FIREBASE_AUTH_EMULATOR_HOST"]
project = os.environ["GCLOUD_PROJECT"]
firebase_admin.initialize_app(options={"projectId": project})
checks = 0


def check(condition, text):
    global checks
    checks += 1
    if not condition:
        raise SystemExit(f"Failed: {text}")


def refused(error, call, *arguments, **named):
    """Checks that a call is refused with an error of a class."""
    try:
        call(*arguments, **named)
    except error:
        check(True, "")
        return
    raise SystemExit(f"Failed: {call.__name__} isn't refused with {error.__name__}")


def client(path, **fields):
    """Makes a call of an application, and returns the answer."""
    request = urllib.request.Request(
        f"http://{address}/{path}?key=fake-key",
        data=json.dumps(fields).encode(),
        headers={"Content-Type": "application/json"},
    )
    try:
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        return json.load(error)


def web(name, **fields):
    return client(f"identitytoolkit.googleapis.com/v1/accounts:{name}", **fields)


def ios(name, **fields):
    return client(f"www.googleapis.com/identitytoolkit/v3/relyingparty/{name}", **fields)


def users():
    ada = auth.create_user(
        uid="ada", email="Ada@example.com", password="secret1", display_name="Ada",
        photo_url="http://example.com/ada.png", phone_number="+15551234567")
    check(ada.uid == "ada" and ada.email == "ada@example.com", "create_user")
    check(ada.phone_number == "+15551234567" and not ada.email_verified, "its fields")
    check(ada.user_metadata.creation_timestamp > 0, "the time of creation")
    check({p.provider_id for p in ada.provider_data} == {"password", "phone"}, "its providers")
    refused(auth.UidAlreadyExistsError, auth.create_user, uid="ada")
    refused(auth.EmailAlreadyExistsError, auth.create_user, email="ada@example.com")
    refused(auth.PhoneNumberAlreadyExistsError, auth.create_user, phone_number="+15551234567")
    check(auth.get_user("ada").uid == "ada", "get_user")
    check(auth.get_user_by_email("ada@example.com").uid == "ada", "get_user_by_email")
    check(auth.get_user_by_phone_number("+15551234567").uid == "ada", "get_user_by_phone_number")
    refused(auth.UserNotFoundError, auth.get_user, "nobody")
    refused(auth.UserNotFoundError, auth.get_user_by_email, "nobody@example.com")
    found = auth.get_users([
        auth.UidIdentifier("ada"), auth.EmailIdentifier("nobody@example.com"),
        auth.PhoneIdentifier("+15551234567")])
    check([u.uid for u in found.users] == ["ada"] and len(found.not_found) == 1, "get_users")
    changed = auth.update_user(
        "ada", display_name=auth.DELETE_ATTRIBUTE, photo_url=auth.DELETE_ATTRIBUTE,
        phone_number=auth.DELETE_ATTRIBUTE, email_verified=True)
    check(changed.display_name is None and changed.photo_url is None, "deleted attributes")
    check(changed.phone_number is None and changed.email_verified, "update_user")
    apple = urllib.parse.urlencode({
        "providerId": "apple.com",
        "id_token": '{"sub": "apple-ada", "email": "ada@example.com", "email_verified": true}'})
    web("signInWithIdp", requestUri="http://localhost", postBody=apple)
    linked = auth.get_user("ada")
    check("apple.com" in {p.provider_id for p in linked.provider_data}, "a linked provider")
    check(
        auth.get_users([auth.ProviderIdentifier("apple.com", "apple-ada")]).users[0].uid == "ada",
        "get_users by a provider")
    signed_in = web("signInWithPassword", email="ada@example.com", password="secret1")
    web("update", idToken=signed_in["idToken"], deleteProvider=["apple.com"])
    unlinked = auth.get_user("ada")
    check([p.provider_id for p in unlinked.provider_data] == ["password"], "an unlinked provider")


def lists():
    for number in range(25):
        auth.create_user(uid=f"user-{number:02}")
    ids = [u.uid for u in auth.list_users(max_results=10).iterate_all()]
    check(len(ids) == 26 and ids == sorted(ids), "list_users")
    page = auth.list_users(max_results=10)
    check(len(page.users) == 10 and page.has_next_page, "a page of users")
    result = auth.delete_users([f"user-{number:02}" for number in range(25)] + ["nobody"])
    check(result.success_count == 26 and result.failure_count == 0, "delete_users")
    auth.create_user(uid="bob")
    auth.delete_user("bob")
    refused(auth.UserNotFoundError, auth.delete_user, "bob")


def tokens():
    custom = auth.create_custom_token("ada", {"premium": True}).decode()
    signed_in = web("signInWithCustomToken", token=custom, returnSecureToken=True)
    claims = auth.verify_id_token(signed_in["idToken"])
    check(claims["uid"] == "ada" and claims["premium"] is True, "verify_id_token")
    auth.set_custom_user_claims("ada", {"admin": True})
    check(auth.get_user("ada").custom_claims == {"admin": True}, "set_custom_user_claims")
    refreshed = client(
        "securetoken.googleapis.com/v1/token", grantType="refresh_token",
        refreshToken=signed_in["refreshToken"])
    claims = auth.verify_id_token(refreshed["id_token"], check_revoked=True)
    check(claims["admin"] is True and claims["premium"] is True, "claims after a refresh")
    auth.set_custom_user_claims("ada", None)
    check(not auth.get_user("ada").custom_claims, "cleared claims")
    refused(exceptions.InvalidArgumentError, auth.verify_id_token, "nonsense")
    cookie = auth.create_session_cookie(
        refreshed["id_token"], expires_in=datetime.timedelta(hours=1))
    check(auth.verify_session_cookie(cookie, check_revoked=True)["uid"] == "ada", "session cookies")
    time.sleep(1.1)
    auth.revoke_refresh_tokens("ada")
    refused(
        auth.RevokedIdTokenError, auth.verify_id_token, refreshed["id_token"], check_revoked=True)
    answer = client(
        "securetoken.googleapis.com/v1/token", grantType="refresh_token",
        refreshToken=signed_in["refreshToken"])
    check(answer["error"]["message"] == "TOKEN_EXPIRED", "a revoked refresh token")
    auth.update_user("ada", disabled=True)
    refused(
        auth.UserDisabledError, auth.verify_id_token, refreshed["id_token"], check_revoked=True)
    auth.update_user("ada", disabled=False)


def imports():
    scrypt = auth.UserImportHash.standard_scrypt(
        memory_cost=1024, parallelization=16, block_size=8, derived_key_length=64)
    # RFC 7914, section 12: "password" and "NaCl".
    key = bytes.fromhex(
        "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
        "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640")
    result = auth.import_users(
        [
            auth.ImportUserRecord(
                uid="carol", email="carol@example.com", password_hash=key, password_salt=b"NaCl",
                provider_data=[auth.UserProvider(uid="apple-carol", provider_id="apple.com")]),
            auth.ImportUserRecord(uid="dave", email="ada@example.com"),
        ], hash_alg=scrypt)
    check(result.success_count == 1 and result.failure_count == 1, "import_users")
    check(result.errors[0].index == 1, "the index of a fault")
    signed_in = web("signInWithPassword", email="carol@example.com", password="password")
    check(signed_in.get("localId") == "carol", f"a sign-in by an imported hash: {signed_in}")
    wrong = web("signInWithPassword", email="carol@example.com", password="password1")
    check(wrong["error"]["message"] == "INVALID_PASSWORD", "a wrong password")


def links():
    settings = auth.ActionCodeSettings(url="http://localhost/x", handle_code_in_app=True)
    reset = auth.generate_password_reset_link("ada@example.com")
    code = urllib.parse.parse_qs(urllib.parse.urlparse(reset).query)["oobCode"][0]
    answer = web("resetPassword", oobCode=code, newPassword="secret2")
    check(answer["email"] == "ada@example.com", "generate_password_reset_link")
    check("idToken" in web("signInWithPassword", email="ada@example.com", password="secret2"),
          "the new password")
    link = auth.generate_sign_in_with_email_link("new@example.com", settings)
    code = urllib.parse.parse_qs(urllib.parse.urlparse(link).query)["oobCode"][0]
    answer = ios("emailLinkSignin", email="new@example.com", oobCode=code)
    check(answer["isNewUser"] is True, "generate_sign_in_with_email_link")
    link = auth.generate_email_verification_link("new@example.com")
    urllib.request.urlopen(link).read()
    check(auth.get_user_by_email("new@example.com").email_verified, "the page of a link")
    refused(auth.UserNotFoundError, auth.generate_email_verification_link, "nobody@example.com")


def tutorial():
    """The course of an application: anonymous, linked, met on another device, recovered."""
    apple = urllib.parse.urlencode(
        {"providerId": "apple.com", "id_token": '{"sub": "apple-eve", "email": "eve@example.com"}'})
    first = ios("signupNewUser", returnSecureToken=True)
    linked = ios(
        "verifyAssertion", requestUri="http://localhost", postBody=apple, idToken=first["idToken"],
        returnIdpCredential=True, returnSecureToken=True, autoCreate=True)
    check(linked["localId"] == first["localId"], "a linked anonymous user")
    second = web("signUp", returnSecureToken=True)
    collision = web(
        "signInWithIdp", requestUri="http://localhost", postBody=apple, idToken=second["idToken"],
        returnIdpCredential=True)
    check(collision["errorMessage"] == "FEDERATED_USER_ID_ALREADY_LINKED", "a collision")
    recovered = web(
        "signInWithIdp", requestUri="http://localhost", pendingToken=collision["pendingToken"])
    check(recovered["localId"] == first["localId"], "the recovery")
    check(
        auth.verify_id_token(recovered["idToken"])["firebase"]["sign_in_provider"] == "apple.com",
        "the provider of the sign-in")


for course in [users, lists, tokens, imports, links, tutorial]:
    course()
    print(f"{course.__name__}: passed")
print(f"{checks} checks passed.")
