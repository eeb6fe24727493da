// The data layer of a to-do list, as it is commonly written for Firebase. Only the imports would
// differ there: Combine, FirebaseFirestore, Foundation.
import Foundation
import HearthFirebase
import OpenCombine

enum TaskPriority: Int, Codable {
  case high
  case medium
  case low
}

struct Task: Codable, Identifiable {
  @DocumentID var id: String?
  var title: String
  var priority: TaskPriority
  var completed: Bool
  @ServerTimestamp var createdTime: Timestamp?
  var userId: String?
}

struct User {
  var uid: String
}

/// The service that knows the signed-in user.
class AuthenticationService: ObservableObject {
  @Published var user: User?

  func signIn(as uid: String) {
    user = User(uid: uid)
  }
}

class TaskRepository: ObservableObject {
  @Published var tasks = [Task]()
  @Published var errorMessage: String?

  private let db = Firestore.firestore()
  private let tasksPath = "tasks"
  private var userId = "unknown"
  private var listenerRegistration: (any ListenerRegistration)?
  private var cancellables = Set<AnyCancellable>()

  init(authenticationService: AuthenticationService) {
    authenticationService.$user
      .compactMap { $0?.uid }
      .removeDuplicates()
      .sink { [weak self] uid in
        self?.userId = uid
        self?.loadData()
      }
      .store(in: &cancellables)
  }

  deinit {
    listenerRegistration?.remove()
  }

  func loadData() {
    listenerRegistration?.remove()
    listenerRegistration = db.collection(tasksPath)
      .whereField("userId", isEqualTo: userId)
      .order(by: "createdTime")
      .addSnapshotListener { [weak self] querySnapshot, error in
        if let error {
          self?.errorMessage = error.localizedDescription
          return
        }
        guard let documents = querySnapshot?.documents else { return }
        self?.tasks = documents.compactMap { document in
          try? document.data(as: Task.self)
        }
      }
  }

  func addTask(_ task: Task) {
    do {
      var userTask = task
      userTask.userId = userId
      _ = try db.collection(tasksPath).addDocument(from: userTask)
    } catch {
      errorMessage = "Unable to encode task: \(error.localizedDescription)"
    }
  }

  func updateTask(_ task: Task) {
    guard let taskID = task.id else { return }
    do {
      try db.collection(tasksPath).document(taskID).setData(from: task)
    } catch {
      errorMessage = "Unable to encode task: \(error.localizedDescription)"
    }
  }

  func removeTask(_ task: Task) {
    guard let taskID = task.id else { return }
    db.collection(tasksPath).document(taskID).delete { [weak self] error in
      if let error {
        self?.errorMessage = "Unable to remove document: \(error.localizedDescription)"
      }
    }
  }
}
