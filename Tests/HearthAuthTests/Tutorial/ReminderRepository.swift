// The data layer of a reminder list, as it is commonly written for Firebase. Only the imports would
// differ there: Combine, FirebaseAuth, FirebaseFirestore, Foundation.
import Foundation
import HearthAuth
import HearthFirebase
import OpenCombine

struct Reminder: Codable, Identifiable {
  @DocumentID var id: String?
  var title: String
  var isCompleted = false
  var userId: String?
}

@MainActor
class ReminderRepository: ObservableObject {
  @Published var reminders = [Reminder]()
  @Published var errorMessage: String?

  private let db = Firestore.firestore(database: "reminders")
  private let path = "reminders"
  private var userId: String?
  private var listenerRegistration: (any ListenerRegistration)?
  private var cancellables = Set<AnyCancellable>()

  init(authenticationService: AuthenticationService) {
    authenticationService.$user
      .removeDuplicates { $0?.uid == $1?.uid }
      .sink { [weak self] user in
        MainActor.assumeIsolated { self?.subscribe(user: user) }
      }
      .store(in: &cancellables)
  }

  private func subscribe(user: User?) {
    listenerRegistration?.remove()
    listenerRegistration = nil
    userId = user?.uid
    guard let user else { return }
    listenerRegistration = db.collection(path)
      .whereField("userId", isEqualTo: user.uid)
      .addSnapshotListener { [weak self] querySnapshot, error in
        guard let documents = querySnapshot?.documents else {
          self?.errorMessage = error?.localizedDescription
          return
        }
        self?.reminders = documents.compactMap { document in
          try? document.data(as: Reminder.self)
        }
      }
  }

  func addReminder(_ reminder: Reminder) throws {
    var reminder = reminder
    reminder.userId = userId
    try db.collection(path).addDocument(from: reminder)
  }

  func updateReminder(_ reminder: Reminder) throws {
    guard let id = reminder.id else { return }
    try db.collection(path).document(id).setData(from: reminder, merge: true)
  }

  func removeReminder(_ reminder: Reminder) async throws {
    guard let id = reminder.id else { return }
    try await db.collection(path).document(id).delete()
  }

  /// Reads the reminders of another user. Only that user may.
  func reminders(of uid: String) async throws -> [Reminder] {
    try await db.collection(path).whereField("userId", isEqualTo: uid).getDocuments()
      .documents.map { try $0.data(as: Reminder.self) }
  }

  /// Gives reminders to the user, in one batch.
  func take(_ reminders: [Reminder], for user: User) async throws {
    let batch = db.batch()
    for reminder in reminders {
      var copy = reminder
      copy.id = nil
      copy.userId = user.uid
      try batch.setData(from: copy, forDocument: db.collection(path).document())
    }
    try await batch.commit()
  }
}
