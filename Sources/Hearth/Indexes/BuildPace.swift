import DocumentEngine

/// How fast the builds of a database's indexes may go.
///
/// It is kept nowhere: it holds until nothing is left to build, or the process ends. Builds that go
/// on when the database is opened again are unlimited, until they are given a pace.
public struct BuildPace: Sendable, Equatable {
  /// Documents read a second, at most, 0.1 to 1e9; `nil` is no limit.
  public var documentsPerSecond: Double?
  /// The time within which 99 of 100 reads and commits of the application are to be done, a
  /// microsecond to a day; `nil` for any.
  ///
  /// While more of them take longer, builds have less and less of the time, down to a hundredth;
  /// then they get faster again. Between two steps they wait for a quarter of a second at most, so
  /// that they get on by a hundred documents a second: where a step takes long, that is a larger
  /// part of the time, such as a sixth for steps of 50 ms.
  public var maximumLatency: Duration?

  /// As fast as it goes, beside readers and writers that have the same rights.
  public static let unlimited = BuildPace()

  /// A pace with the limits that are given.
  public init(documentsPerSecond: Double? = nil, maximumLatency: Duration? = nil) {
    self.documentsPerSecond = documentsPerSecond
    self.maximumLatency = maximumLatency
  }

  init(_ pace: DocumentEngine.BuildPace) {
    self.init(documentsPerSecond: pace.documentsPerSecond, maximumLatency: pace.maximumLatency)
  }

  var enginePace: DocumentEngine.BuildPace {
    DocumentEngine.BuildPace(
      documentsPerSecond: documentsPerSecond, maximumLatency: maximumLatency)
  }
}
