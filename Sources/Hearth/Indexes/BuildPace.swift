import DocumentEngine
import EngineUpkeep

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

  init(_ pace: EngineUpkeep.BuildPace) {
    self.init(documentsPerSecond: pace.documentsPerSecond, maximumLatency: pace.maximumLatency)
  }

  var enginePace: EngineUpkeep.BuildPace {
    EngineUpkeep.BuildPace(
      documentsPerSecond: documentsPerSecond, maximumLatency: maximumLatency)
  }
}
