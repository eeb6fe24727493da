import Hearth

/// The task of the peers' comparison as a struct: nine properties, one of them the document's id.
struct TaggedTask: Codable {
  @DocumentID var id: String?
  var title: String
  var priority: Int64
  var completed: Bool
  var createdTime: Int64
  var userId: String
  var listId: String
  var tags: [String]
  var body: String

  static func sample(_ number: Int) -> TaggedTask {
    TaggedTask(
      title: "paint fence and roof \(number)",
      priority: Int64(number % 3),
      completed: number % 2 == 0,
      createdTime: 1_700_000_000_000_000 + Int64(number) * 1_000_000,
      userId: "user-abcdefghi-\(10_000 + number % 1000)",
      listId: "list-abcdefghi-\(10_000 + number % 500)",
      tags: ["garden", "kitchen", "school"].suffix(number % 4),
      body: String(repeating: "answer the letter ", count: 8) + "\(number)")
  }
}
