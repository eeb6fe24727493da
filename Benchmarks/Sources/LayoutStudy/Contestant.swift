import Workbench

/// The questions that are timed, each with its operand.
enum StudyQuery {
  /// Q1: the task of this id.
  case get(id: String)
  /// Q2: this user's 20 newest tasks.
  case newest(userId: String)
  /// Q3: this user's 20 oldest tasks that are not completed.
  case open(userId: String)
  /// Q7: so many tasks in order of time, which is also nearly the order of insertion.
  case byTime(from: Int64, limit: Int)
  /// The same in order of title, which has nothing to do with the order of insertion.
  case byTitle(from: String, limit: Int)
  /// So many tasks that are not completed, in order of name: every second one.
  case openByName(from: String, limit: Int)
  /// So many tasks in order of name, as a listing of a collection reads them.
  case byName(from: String, limit: Int)
}

/// What a query handed out. A scan drops each document at once; a page keeps them to its end.
struct Answer {
  var documents: [SampleDocument] = []
  var count = 0
  var byteCount = 0
  var keepsDocuments = true

  mutating func begin() {
    documents.removeAll(keepingCapacity: true)
    count = 0
  }

  mutating func receive(_ document: SampleDocument) {
    count += 1
    if keepsDocuments { documents.append(document) }
  }

  /// A document whose bytes are handed out undecoded: one is read, so that they were touched.
  mutating func receive(bytes: UnsafeRawBufferPointer) {
    count += 1
    byteCount &+= bytes.count &+ Int(bytes.last ?? 0)
  }
}

/// A way to answer queries: a loaded store and how its documents are fetched.
protocol Reader: AnyObject {
  var name: String { get }
  /// Whether equal sort keys come in order of name; if not, only sort keys are compared.
  var ordersTiesByName: Bool { get }
  /// Whether it hands out documents, which are then compared with the baseline's.
  var yieldsDocuments: Bool { get }
  func answer(_ query: StudyQuery, into answer: inout Answer) throws
}

/// A store under load.
protocol Writer: AnyObject {
  var name: String { get }
  var path: String { get }
  /// The bytes of the last batch as they were given to the store, or 0 where this is not known.
  var lastBatchByteCount: Int { get }
  /// Inserts as one batch.
  func insert(_ tasks: ArraySlice<PreparedTask>, sync: Bool) throws
  /// Reads a task and turns its `completed` over, as one batch that is not synced.
  func toggleCompleted(id: String) throws
}

/// A task with both of its stored forms, made before the clock starts.
struct PreparedTask {
  let task: SampleTask
  let record: [UInt8]
  let json: [UInt8]

  init(_ task: SampleTask) {
    self.task = task
    let document = task.document
    record = TaskRecord.encode(document)
    json = TaskJSON.encode(document)
  }
}
