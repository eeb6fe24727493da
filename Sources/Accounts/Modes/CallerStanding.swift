/// The standing of a caller, by the header `authorization` of its request.
package enum CallerStanding: Sendable {
  /// A caller without credentials, such as an application.
  case client
  /// A caller who may do everything.
  case administrator
  /// A caller with credentials that are not good.
  case unknown
}
