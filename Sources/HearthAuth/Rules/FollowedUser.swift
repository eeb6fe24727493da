import Hearth
import HearthRules

/// The user of a listener, who follows the sign-in. The object ends that when it is released.
final class FollowedUser: Sendable {
  let user: ListeningUser
  private let keeper: SessionKeeper
  private let observer: Int

  /// - Throws: `unauthenticated` for a token that can't be read.
  init(_ caller: RulesCaller) throws(DatabaseError) {
    let user = ListeningUser(try caller.presentUser())
    let (rules, keeper) = (caller.rules, caller.keeper)
    self.user = user
    self.keeper = keeper
    observer = keeper.add { session in
      let next = RulesCaller(rules, keeper, session)
      // A token that can't be read gives no rights.
      user.change(to: (try? next.presentUser()) ?? rules.signedOut)
    }
  }

  deinit { keeper.removeObserver(observer) }
}
