package import HearthDocumentEngine
package import HearthReports

/// An observer of an engine that is also told of builds, under the same rules.
package protocol BuildObserver: EngineObserver {
  func observe(_ event: BuildEvent)
}

/// An event of builds.
package enum BuildEvent: Sendable {
  /// Some more documents have the entries of a new index.
  case indexBuildProgressed(collectionGroup: String, documentCount: Int, BuildProgress)
  /// A build has ended, whether or not a caller waited for it.
  case indexBuildEnded(collectionGroup: String, BuildStatus)
}
