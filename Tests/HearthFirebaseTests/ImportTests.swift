// No other import: this one replaces `import FirebaseFirestore`.
import HearthFirebase
import Testing

@Suite struct ImportTests {
  /// A type as in tutorials: Foundation's types without another import.
  private struct Note: Codable, Equatable {
    @DocumentID var id: String?
    var uuid = UUID()
    var written = Date(timeIntervalSince1970: 1_700_000_000)
    var link = URL(string: "https://example.com")
    var bytes = Data([1])
  }

  /// A type as in view models: Combine's types without another import.
  private final class Notes: ObservableObject {
    @Published var notes: [Note] = []
    private var subscriptions: Set<AnyCancellable> = []

    func load(_ query: Query, _ done: @escaping () -> Void) {
      query.snapshotPublisher()
        .map { $0.documents.compactMap { try? $0.data(as: Note.self) } }
        .replaceError(with: [])
        .receive(on: DispatchQueue(label: "notes"))
        .sink { [weak self] notes in
          self?.notes = notes
          done()
        }
        .store(in: &subscriptions)
    }
  }

  @Test func `Foundation and Combine come with the module`() async throws {
    let notes = try Firestore.inMemory().collection("notes")
    let note = Note()
    let document = try notes.addDocument(from: note)
    let read = try await document.getDocument(as: Note.self)
    #expect(read == Note(id: document.documentID, uuid: note.uuid))
    let model = Notes()
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    model.load(notes.order(by: "written")) { continuation.yield() }
    for await _ in stream { break }
    #expect(model.notes == [read])
    let count = try await Future<Int, any Error> { $0(.success(model.notes.count)) }.value
    #expect(count == 1)
  }
}
