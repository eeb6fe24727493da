import HearthDocumentModel

// The fields of an account's document. Those that are `nil`, false or empty are left out.

extension Account {
  /// The fields of the document.
  var fields: MapValue {
    var fields = MapValue()
    fields["incarnation"] = .string(incarnation)
    fields["createdAt"] = .integer(createdAt)
    // Lists are sorted by it.
    fields["lastLoginAt"] = .integer(lastLoginAt ?? 0)
    fields["lastRefreshAt"] = lastRefreshAt.map(Value.integer)
    fields["validSince"] = .integer(validSince)
    if revocationCount > 0 { fields["revocationCount"] = .integer(revocationCount) }
    fields["email"] = email.map(Value.string)
    fields["initialEmail"] = initialEmail.map(Value.string)
    fields["displayName"] = displayName.map(Value.string)
    fields["photoUrl"] = photoURL.map(Value.string)
    fields["phoneNumber"] = phoneNumber.map(Value.string)
    fields["customAttributes"] = customAttributes.map(Value.string)
    for (name, flag) in [
      ("emailVerified", isEmailVerified), ("disabled", isDisabled), ("customAuth", isCustom),
      ("emailLinks", usesEmailLinks),
    ] where flag {
      fields[name] = .boolean(true)
    }
    fields["password"] = password.map {
      ["hash": .string($0.hash), "updatedAt": .integer($0.updatedAt)]
    }
    if !identities.isEmpty { fields["identities"] = .array(identities.map { .map($0.fields) }) }
    return fields
  }

  /// Reads the fields of a document.
  ///
  /// - Returns: `nil` for fields that no account has.
  init?(id: String, fields: MapValue) {
    guard let incarnation = fields.text("incarnation"), let created = fields.number("createdAt"),
      let validSince = fields.number("validSince")
    else { return nil }
    self.init(id: id, incarnation: incarnation, now: created)
    self.validSince = validSince
    lastLoginAt = fields.number("lastLoginAt").flatMap { $0 == 0 ? nil : $0 }
    lastRefreshAt = fields.number("lastRefreshAt")
    revocationCount = fields.number("revocationCount") ?? 0
    email = fields.text("email")
    initialEmail = fields.text("initialEmail")
    displayName = fields.text("displayName")
    photoURL = fields.text("photoUrl")
    phoneNumber = fields.text("phoneNumber")
    customAttributes = fields.text("customAttributes")
    isEmailVerified = fields["emailVerified"] == .boolean(true)
    isDisabled = fields["disabled"] == .boolean(true)
    isCustom = fields["customAuth"] == .boolean(true)
    usesEmailLinks = fields["emailLinks"] == .boolean(true)
    if case .map(let inner)? = fields["password"] {
      guard let hash = inner.text("hash"), let updated = inner.number("updatedAt") else {
        return nil
      }
      password = Password(hash: hash, updatedAt: updated)
    }
    guard case .array(let elements)? = fields["identities"] else { return }
    for element in elements {
      guard case .map(let inner) = element, let identity = Identity(fields: inner) else {
        return nil
      }
      identities.append(identity)
    }
  }
}

extension Account.Identity {
  fileprivate var fields: MapValue {
    var fields = MapValue()
    fields["providerId"] = .string(providerID)
    fields["rawId"] = .string(rawID)
    fields["email"] = email.map(Value.string)
    fields["displayName"] = displayName.map(Value.string)
    fields["photoUrl"] = photoURL.map(Value.string)
    return fields
  }

  fileprivate init?(fields: MapValue) {
    guard let providerID = fields.text("providerId"), let rawID = fields.text("rawId") else {
      return nil
    }
    self.init(
      providerID: providerID, rawID: rawID, email: fields.text("email"),
      displayName: fields.text("displayName"), photoURL: fields.text("photoUrl"))
  }
}

extension MapValue {
  /// Returns the text in a field; `nil` for none.
  func text(_ name: String) -> String? {
    if case .string(let text)? = self[name] { text } else { nil }
  }

  /// Returns the integer in a field; `nil` for none.
  func number(_ name: String) -> Int64? {
    if case .integer(let number)? = self[name] { number } else { nil }
  }
}
