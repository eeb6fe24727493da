import HearthDocumentModel

/// Changes of a project's switches; `nil` for each that is left as it is.
package struct SettingChanges: Sendable, Equatable {
  package var allowsDuplicateEmails: Bool?
  package var protectsEmails: Bool?
  package var allowsAnonymous: Bool?
  package var allowsEmail: Bool?
  package var requiresPassword: Bool?
  package var authorizedDomains: [String]?

  package init() {}

  /// A switch that is on or off.
  private struct Flag: Sendable {
    /// The name of its field in the record of a project.
    let field: String
    let change: any WritableKeyPath<SettingChanges, Bool?> & Sendable
    let setting: any WritableKeyPath<AccountSettings, Bool> & Sendable
  }

  private static let flags = [
    Flag(
      field: "allowDuplicateEmails", change: \.allowsDuplicateEmails,
      setting: \.allowsDuplicateEmails),
    Flag(field: "protectEmails", change: \.protectsEmails, setting: \.protectsEmails),
    Flag(field: "anonymous", change: \.allowsAnonymous, setting: \.allowsAnonymous),
    Flag(field: "email", change: \.allowsEmail, setting: \.allowsEmail),
    Flag(field: "passwordRequired", change: \.requiresPassword, setting: \.requiresPassword),
  ]

  /// Returns the switches after the changes.
  func applied(to settings: AccountSettings) -> AccountSettings {
    var settings = settings
    for flag in SettingChanges.flags {
      if let value = self[keyPath: flag.change] { settings[keyPath: flag.setting] = value }
    }
    if let authorizedDomains { settings.authorizedDomains = authorizedDomains }
    return settings
  }

  /// Adds other changes, which win.
  mutating func add(_ others: SettingChanges) {
    for flag in SettingChanges.flags {
      self[keyPath: flag.change] = others[keyPath: flag.change] ?? self[keyPath: flag.change]
    }
    authorizedDomains = others.authorizedDomains ?? authorizedDomains
  }
}

extension SettingChanges {
  /// The fields of the record of a project.
  var fields: MapValue {
    var fields = MapValue()
    for flag in SettingChanges.flags {
      fields[flag.field] = self[keyPath: flag.change].map(Value.boolean)
    }
    fields["authorizedDomains"] = authorizedDomains.map { .array($0.map(Value.string)) }
    return fields
  }

  init(fields: MapValue) {
    for flag in SettingChanges.flags {
      if case .boolean(let value)? = fields[flag.field] { self[keyPath: flag.change] = value }
    }
    if case .array(let domains)? = fields["authorizedDomains"] {
      authorizedDomains = domains.compactMap {
        if case .string(let text) = $0 { text } else { nil }
      }
    }
  }
}
