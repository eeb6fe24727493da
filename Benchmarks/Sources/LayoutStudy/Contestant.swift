import Workbench

/// The timed queries, each with its operand.
enum StudyQuery {
  /// Q1: the task of this id.
  case get(id: String)
  /// Q2: this user's 20 newest tasks.
  case newest(userId: String)
  /// Q3: this user's 20 oldest tasks that are not completed.
  case open(userId: String)
  /// Q7: a page of tasks in order of time, which is also nearly the order of insertion.
  case byTime(from: Int64, limit: Int)
  /// A page of tasks in order of title, which has nothing to do with the order of insertion.
  case byTitle(from: String, limit: Int)
  /// A page of tasks that are not completed, in order of name: every second task.
  case openByName(from: String, limit: Int)
  /// A page of tasks in order of name, as a listing of a collection reads them.
  case byName(from: String, limit: Int)
}

/// The documents that a query returned. A scan drops each document at once; a page keeps them to
/// its end.
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

  /// Counts a document whose bytes are returned undecoded. It reads one of them, so that the bytes
  /// are touched.
  mutating func receive(bytes: UnsafeRawBufferPointer) {
    count += 1
    byteCount &+= bytes.count &+ Int(bytes.last ?? 0)
  }
}

/// A way to answer queries: a loaded store and a way to fetch its documents.
protocol Reader: AnyObject {
  var name: String { get }
  /// Whether equal sort keys are in order of name. If not, only sort keys are compared.
  var ordersTiesByName: Bool { get }
  /// Whether the reader returns documents, which are then compared with the baseline's.
  var yieldsDocuments: Bool { get }
  func answer(_ query: StudyQuery, into answer: inout Answer) throws
}

/// A store under load.
protocol Writer: AnyObject {
  var name: String { get }
  var path: String { get }
  /// Number of bytes of the last batch as given to the store; 0 if it is not known.
  var lastBatchByteCount: Int { get }
  /// Inserts tasks as one batch.
  func insert(_ tasks: ArraySlice<PreparedTask>, sync: Bool) throws
  /// Reads a task and inverts its `completed`, as one batch that is not synced.
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
