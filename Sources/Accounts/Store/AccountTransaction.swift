import Hearth
import HearthDocumentModel

/// One attempt at a change of a project's accounts. Reads see them as they were at its beginning.
/// Writes are collected, and applied together when it ends.
final class AccountTransaction {
  private let transaction: Transaction
  private let database: Database
  private let project: String
  private let settingSources: SettingSources
  /// The documents to write, by their places; `nil` for one that goes.
  private var writes: [StoredPlace: MapValue?] = [:]

  init(
    _ transaction: Transaction, of project: String, in database: Database,
    settings: SettingSources
  ) {
    self.transaction = transaction
    self.project = project
    self.database = database
    settingSources = settings
  }

  // MARK: Documents

  /// Returns the fields of a document; `nil` if there is none.
  func fields(at place: StoredPlace) throws(AccountError) -> MapValue? {
    do {
      return try transaction.getDocument(try reference(place)).data()
    } catch {
      throw AccountError(error)
    }
  }

  func write(_ fields: MapValue, at place: StoredPlace) { writes[place] = .some(fields) }

  func remove(_ place: StoredPlace) { writes[place] = .some(nil) }

  /// Hands the writes to the transaction.
  func applyWrites() throws(DatabaseError) {
    for (place, fields) in writes {
      let document = try reference(place)
      if let fields {
        try transaction.setData(FieldData(fields), for: document)
      } else {
        try transaction.delete(document)
      }
    }
  }

  private func reference(_ place: StoredPlace) throws(DatabaseError) -> DocumentReference {
    try collection(place.kind).document(place.id)
  }

  private func collection(_ kind: StoredKind) throws(DatabaseError) -> CollectionReference {
    let project = try database.collection("projects").document(StoredPlace.documentID(of: project))
    return try project.collection(kind.rawValue)
  }

  // MARK: Accounts

  /// Returns the account with an id; `nil` if there is none.
  func account(_ id: String) throws(AccountError) -> Account? {
    guard let fields = try fields(at: StoredPlace(.users, id)) else { return nil }
    guard let account = Account(id: id, fields: fields) else { throw .damaged(id) }
    return account
  }

  /// Returns the account with an address, in lower case; `nil` if there is none.
  func account(email: String) throws(AccountError) -> Account? {
    try account(named: StoredPlace(.emails, email))
  }

  /// Returns the account with a phone number; `nil` if there is none.
  func account(phoneNumber: String) throws(AccountError) -> Account? {
    try account(named: StoredPlace(.phones, phoneNumber))
  }

  /// Returns the account with an identity; `nil` if there is none.
  func account(providerID: String, rawID: String) throws(AccountError) -> Account? {
    try account(named: StoredPlace(providerID: providerID, rawID: rawID))
  }

  private func account(named place: StoredPlace) throws(AccountError) -> Account? {
    guard let id = try fields(at: place)?.text("account") else { return nil }
    return try account(id)
  }

  /// Writes an account, and its entries under its names.
  ///
  /// - Parameter old: the account as it is stored; `nil` for a new one.
  /// - Throws: `EMAIL_EXISTS`, `PHONE_NUMBER_EXISTS`, `FEDERATED_USER_ID_ALREADY_LINKED` for names
  ///   of other accounts; `DUPLICATE_LOCAL_ID` for a new one with an id that is taken.
  func put(_ account: Account, replacing old: Account?) throws(AccountError) {
    let place = StoredPlace(.users, account.id)
    if old == nil, try fields(at: place) != nil { throw AccountError("DUPLICATE_LOCAL_ID") }
    let (before, after) = (old?.names ?? [:], account.names)
    for (name, refusal) in after where before[name] == nil {
      if let owner = try fields(at: name)?.text("account"), owner != account.id { throw refusal }
      write(["account": .string(account.id)], at: name)
    }
    for name in before.keys where after[name] == nil { remove(name) }
    write(account.fields, at: place)
  }

  /// Removes an account, and its entries under its names. Its refresh tokens stay, so that clients
  /// are told that the user is gone.
  func delete(_ account: Account) {
    remove(StoredPlace(.users, account.id))
    for name in account.names.keys { remove(name) }
  }

  // MARK: Switches

  /// Returns the switches of the project that hold.
  func settings() throws(AccountError) -> AccountSettings {
    settingSources.settings(with: try settingChanges())
  }

  /// Returns the switches that administrators have set.
  func settingChanges() throws(AccountError) -> SettingChanges {
    try fields(at: .settings).map(SettingChanges.init) ?? SettingChanges()
  }

  func write(_ changes: SettingChanges) { write(changes.fields, at: .settings) }

  // MARK: Lists

  /// Returns accounts in the order of their ids.
  ///
  /// - Parameter last: the id after which they begin; `nil` for the first one.
  func accounts(after last: String?, limit: Int) throws(AccountError) -> [Account] {
    do {
      var query = try collection(.users).order(by: "__name__").limit(to: limit)
      if let last { query = query.start(after: [.string(StoredPlace.documentID(of: last))]) }
      return try accounts(transaction.getDocuments(query))
    } catch let error as DatabaseError {
      throw AccountError(error)
    } catch {
      throw AccountError(status: 500, "\(error)")
    }
  }

  /// Returns accounts in the order of a field. Those without it are left out.
  func accounts(
    by field: String, descending: Bool, offset: Int, limit: Int
  ) throws(AccountError) -> [Account] {
    do {
      return try accounts(
        transaction.getDocuments(
          try collection(.users).order(by: field, descending: descending).offset(offset)
            .limit(to: limit)))
    } catch let error as DatabaseError {
      throw AccountError(error)
    } catch {
      throw AccountError(status: 500, "\(error)")
    }
  }

  /// Returns the number of accounts.
  func accountCount() throws(AccountError) -> Int {
    do {
      return try transaction.count(try collection(.users))
    } catch {
      throw AccountError(error)
    }
  }

  /// Removes some of all that there is, but for the switches.
  ///
  /// - Returns: whether there was something.
  func clearSome() throws(AccountError) -> Bool {
    do {
      for kind in StoredKind.allCases where kind != .settings {
        let found = try transaction.getDocuments(try collection(kind).limit(to: 400)).documents
        guard !found.isEmpty else { continue }
        for document in found { remove(StoredPlace(kind, documentID: document.id)) }
        return true
      }
      return false
    } catch {
      throw AccountError(error)
    }
  }

  private func accounts(_ results: QuerySnapshot) throws -> [Account] {
    try results.documents.map { document in
      guard let id = StoredPlace.name(ofDocumentID: document.id), let fields = try document.data(),
        let account = Account(id: id, fields: fields)
      else { throw AccountError.damaged(document.id) }
      return account
    }
  }
}

extension Account {
  /// The places under which the account is found, beside its id, each with the refusal for one that
  /// is taken.
  fileprivate var names: [StoredPlace: AccountError] {
    var names: [StoredPlace: AccountError] = [:]
    if let email { names[StoredPlace(.emails, email)] = .emailExists }
    if let phoneNumber {
      names[StoredPlace(.phones, phoneNumber)] = AccountError("PHONE_NUMBER_EXISTS")
    }
    for identity in identities {
      names[StoredPlace(identity)] = AccountError("FEDERATED_USER_ID_ALREADY_LINKED")
    }
    return names
  }
}

extension AccountError {
  fileprivate static func damaged(_ id: String) -> AccountError {
    AccountError(status: 500, "The record of the account \(id) is damaged.")
  }
}
