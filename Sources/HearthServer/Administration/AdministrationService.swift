import HearthDocumentModel
import HearthServerCalls

/// The methods of `google.firestore.admin.v1.FirestoreAdmin` by their names.
enum AdministrationService {
  static let name = "google.firestore.admin.v1.FirestoreAdmin"

  static func methods(_ calls: AdministrationCalls) -> [String: ServiceMethod] {
    [
      "CreateIndex": .unary(calls.createIndex),
      "ListIndexes": .unary(calls.listIndexes),
      "GetIndex": .unary(calls.getIndex),
      "DeleteIndex": .unary(calls.deleteIndex),
      "GetField": .unary(calls.getField),
      "ListFields": .unary(calls.listFields),
      "UpdateField": .unary(calls.updateField),
      "CreateDatabase": .unary(calls.createDatabase),
      "GetDatabase": .unary(calls.getDatabase),
      "ListDatabases": .unary(calls.listDatabases),
      "DeleteDatabase": .unary(calls.deleteDatabase),
    ]
  }
}

extension Services {
  /// - Parameters:
  ///   - log: the log to which the calls are written.
  ///   - check: refuses callers who are no administrators.
  mutating func add(
    _ calls: AdministrationCalls, recordedIn log: CallLog,
    check: @escaping @Sendable (CallContext) throws(DatabaseError) -> Void
  ) {
    for (name, methods) in [
      (AdministrationService.name, AdministrationService.methods(calls)),
      (OperationsService.name, OperationsService.methods(calls)),
    ] {
      add(name, methods.mapValues { $0.checked(by: check) }, recordedIn: log)
    }
  }
}

/// The methods of `google.longrunning.Operations` by their names.
enum OperationsService {
  static let name = "google.longrunning.Operations"

  static func methods(_ calls: AdministrationCalls) -> [String: ServiceMethod] {
    [
      "ListOperations": .unary(calls.listOperations),
      "GetOperation": .unary(calls.getOperation),
      "CancelOperation": .unary(calls.cancelOperation),
      "DeleteOperation": .unary(calls.deleteOperation),
    ]
  }
}
