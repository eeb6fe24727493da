package import HearthDocumentModel

/// Limits of the speed of a database's index builds.
///
/// The pace is not stored: it holds until nothing is left to build, or the process ends. Builds
/// that resume when the database is opened again have no limit until a pace is set.
public struct BuildPace: Sendable, Equatable {
  /// Maximum number of documents read per second, 0.1 to 1e9; `nil` for no limit.
  public var documentsPerSecond: Double?
  /// Time within which 99 of 100 reads and commits of the application should finish, from a
  /// microsecond to a day; `nil` for no limit.
  ///
  /// While more of them take longer, builds use an ever smaller share of the time, down to a
  /// hundredth. After that they speed up again. Builds wait at most a quarter of a second between
  /// two steps, so that they still process a hundred documents a second. If a step takes long, that
  /// is a larger share of the time, such as a sixth for steps of 50 ms.
  public var maximumLatency: Duration?

  /// The pace without limits: builds compete with readers and writers on equal terms.
  public static let unlimited = BuildPace()

  /// Creates a pace with the given limits.
  public init(documentsPerSecond: Double? = nil, maximumLatency: Duration? = nil) {
    self.documentsPerSecond = documentsPerSecond
    self.maximumLatency = maximumLatency
  }

  /// - Throws: `invalidArgument` for a rate that isn't 0.1...1e9 documents a second, or a latency
  ///   of less than a microsecond or more than a day.
  package func validate() throws(DatabaseError) {
    guard documentsPerSecond.map({ (0.1...1e9).contains($0) }) ?? true else {
      throw .invalidArgument("A build's rate is a number of documents a second, 0.1 to 1e9.")
    }
    let latencies = Duration.microseconds(1) ... .seconds(86_400)
    guard maximumLatency.map(latencies.contains) ?? true else { throw BuildPace.wrongLatency }
  }

  private static let wrongLatency = DatabaseError.invalidArgument(
    "The latency that a build leaves to others is a time of a microsecond to a day.")
}

extension BuildPace: Codable {
  private enum CodingKeys: String, CodingKey { case documentsPerSecond, maximumMicroseconds }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    let rate = try members.decodeIfPresent(Double.self, forKey: .documentsPerSecond)
    let latency = try members.decodeIfPresent(Double.self, forKey: .maximumMicroseconds)
    // No duration holds all numbers.
    guard latency.map((1...86_400e6).contains) ?? true else { throw BuildPace.wrongLatency }
    self.init(documentsPerSecond: rate, maximumLatency: latency.map { .nanoseconds($0 * 1000) })
    try validate()
  }

  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encodeIfPresent(documentsPerSecond, forKey: .documentsPerSecond)
    try members.encodeIfPresent(
      maximumLatency.map { $0 / .microseconds(1) }, forKey: .maximumMicroseconds)
  }
}
