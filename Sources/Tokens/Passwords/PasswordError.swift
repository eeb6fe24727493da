/// The reason for which a password can't be hashed.
package enum PasswordError: Error, Equatable {
  /// Too many hashes are waited for.
  case tooMany
  /// The parameters of the hash can't be used, or the memory for it isn't there.
  case unusable
  /// A stored hash can't be read.
  case damaged
}
