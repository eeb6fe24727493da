import HearthDocumentModel
import HearthQueryPlanning
import Testing

/// The plans that turn the indexes of a database into those of a file (§6.4).
struct IndexFilePlanTests {
  private let present = IndexFile(
    composites: [index("a, b"), index("c, d desc"), index("a, b", scope: .collectionGroup)],
    overrides: [
      fieldIndexes("body", []), fieldIndexes("old", [.ascending], isTimeToLive: true),
      fieldIndexes("gone", [.descending]),
    ])

  private func steps(to file: IndexFile, prunes: Bool = false) throws -> [String] {
    try IndexFilePlan(from: present, to: file, prunes: prunes).steps.map(\.description)
  }

  @Test func sameFileHasNoSteps() throws {
    var file = present
    file.composites.reverse()
    file.overrides.reverse()
    // Written twice, it is one index.
    file.composites.append(index("b, a"))
    file.composites.append(index("b, a, __name__"))
    #expect(try steps(to: file) == ["+ index (b ASC, a ASC) of c"])
    #expect(try steps(to: present, prunes: true) == [])
    #expect(try IndexFilePlan(from: present, to: present).kept.isEmpty)
  }

  @Test func newComesAndWhatIsLackingStays() throws {
    let file = IndexFile(
      composites: [index("x, y"), index("a, b")],
      overrides: [
        fieldIndexes("body", [.ascending, .contains]), fieldIndexes(nil, []),
        fieldIndexes("new", [.descending], in: "d", isTimeToLive: true),
      ])
    let plan = try IndexFilePlan(from: present, to: file)
    #expect(
      plan.steps.map(\.description) == [
        "+ field c.*: no indexes", "~ field c.body: no indexes -> ASC, ARRAY_CONTAINS",
        "+ field d.new: DESC", "+ index (x ASC, y ASC) of c", "+ time to live by d.new",
      ])
    #expect(plan.created == [index("x, y")])
    #expect(!plan.prunes)
    #expect(
      plan.kept.composites == [index("a, b", scope: .collectionGroup), index("c, d desc")])
    #expect(plan.kept.overrides.map(\.name.description) == ["c.gone", "c.old"])
  }

  @Test func pruningDropsWhatTheFileLacks() throws {
    let file = IndexFile(
      composites: [index("x, y")],
      overrides: [fieldIndexes("new", [], isTimeToLive: true)])
    let plan = try IndexFilePlan(from: present, to: file, prunes: true)
    #expect(
      plan.steps.map(\.description) == [
        "- time to live by c.old", "+ field c.new: no indexes", "+ index (x ASC, y ASC) of c",
        "- index (a ASC, b ASC) of collection group c", "- index (a ASC, b ASC) of c",
        "- index (c ASC, d DESC) of c", "- field c.body: no indexes", "- field c.gone: DESC",
        "- field c.old: ASC", "+ time to live by c.new",
      ])
    #expect(plan.prunes)
    #expect(plan.kept.isEmpty)
  }

  /// A file without a word on it leaves a time to live as it is.
  @Test func timeToLiveIsComparedWhereItIsTold() throws {
    func steps(_ isTimeToLive: Bool?) throws -> [String] {
      var file = present
      file.overrides[1].isTimeToLive = isTimeToLive
      return try self.steps(to: file)
    }
    #expect(try steps(nil) == [])
    #expect(try steps(true) == [])
    #expect(try steps(false) == ["- time to live by c.old"])
  }

  /// A step that can't succeed isn't planned: a collection group has one time to live.
  @Test func twoTimesToLiveAreRefused() throws {
    func refusal(_ overrides: [FieldIndexes], prunes: Bool = false) -> DatabaseError? {
      #expect(throws: DatabaseError.self) {
        try IndexFilePlan(from: present, to: IndexFile(overrides: overrides), prunes: prunes)
      }
    }
    let new = fieldIndexes("new", [], isTimeToLive: true)
    let beside = refusal([new])
    #expect(beside?.code == .failedPrecondition)
    #expect(beside?.message.contains("by c.new can't come beside the one by c.old") == true)
    #expect(beside?.message.contains("--prune") == true)
    #expect(try steps(to: IndexFile(overrides: [new]), prunes: true).last?.contains("new") == true)

    // The file may list the field without a word on its time to live: then pruning has no effect.
    let untold = [new, fieldIndexes("old", [.ascending], isTimeToLive: nil)]
    for prunes in [false, true] {
      #expect(refusal(untold, prunes: prunes)?.message.contains(#""ttl": false"#) == true)
    }
    let told = [new, fieldIndexes("old", [.ascending], isTimeToLive: false)]
    #expect(
      try steps(to: IndexFile(overrides: told)) == [
        "- time to live by c.old", "+ field c.new: no indexes", "+ time to live by c.new",
      ])

    let both = refusal([new, fieldIndexes("old", [.ascending], isTimeToLive: true)], prunes: true)
    #expect(both?.code == .invalidArgument)
    #expect(both?.message.contains("by c.new and by c.old") == true)
  }

  /// A field that is in the file only for its time to live has no override to remove. It gets one
  /// when the indexes that it inherits may change.
  @Test func inheritedIndexesBecomeAnOverrideWhenOthersChange() throws {
    var inherited = fieldIndexes("at", [.ascending], isTimeToLive: true)
    inherited.isInherited = true
    let present = IndexFile(overrides: [inherited])
    func steps(_ overrides: [FieldIndexes], prunes: Bool = false) throws -> [String] {
      try IndexFilePlan(from: present, to: IndexFile(overrides: overrides), prunes: prunes).steps
        .map(\.description)
    }
    let same = fieldIndexes("at", [.ascending], isTimeToLive: true)
    #expect(try steps([same]) == [])
    #expect(
      try steps([same, fieldIndexes(nil, [])]) == [
        "+ field c.*: no indexes", "+ field c.at: ASC",
      ])
    #expect(try steps([], prunes: true) == ["- time to live by c.at"])
    // Without its time to live it would no longer be in the file.
    #expect(
      try steps([fieldIndexes("at", [.ascending])]) == [
        "- time to live by c.at", "+ field c.at: ASC",
      ])
  }

  @Test func aTimeToLiveThatTheFileLacksIsPruned() throws {
    var inherited = fieldIndexes("at", [.ascending], isTimeToLive: true)
    inherited.isInherited = true
    func plan(_ overrides: [FieldIndexes]) throws -> IndexFilePlan {
      try IndexFilePlan(
        from: IndexFile(overrides: [inherited]), to: IndexFile(overrides: overrides), prunes: true)
    }
    let pruning = try plan([])
    #expect(pruning.steps.count == 1 && pruning.prunes)
    // The file itself removes this one.
    #expect(try !plan([fieldIndexes("at", [.ascending])]).prunes)
  }

  /// The Firebase tool does not compare them.
  @Test func scopesOfFieldsAreCompared() throws {
    var file = present
    file.overrides[2].indexes = [SingleFieldIndex(.descending, scope: .collectionGroup)]
    #expect(try steps(to: file) == ["~ field c.gone: DESC -> group DESC"])
  }

  /// The order of JavaScript's `localeCompare`.
  @Test func sortsAccentedLettersAfterPlainOnes() {
    let sorted = [
      "ć", "ĉ", "č", "ċ", "ç", "cafe", "café", "Café", "cafe1", "cafes", "cafés", "caff", "lody",
      "lodz", "łódź", "lože", "nandu", "ñandu", "nz", "o", "ó", "ò", "ô", "ö", "ő", "õ", "ø", "ō",
      "öa", "ob", "oz", "z", "zoe", "Zoe", "zoé", "Zoë", "Г", "д", "Д", "е",
    ]
    let file = IndexFile(composites: sorted.reversed().map { index("a, b", in: $0) })
    #expect(file.sorted.composites.map(\.collectionGroup) == sorted)
  }

  /// The order of §6.5, by the order of dictionaries.
  @Test func sortsLikeTheFirebaseTool() {
    let file = IndexFile(
      composites: [
        index("b, a", in: "Users"), index("a, b", in: "tasks"), index("a desc, b", in: "users"),
        index("a, B", in: "users"), index("a, b", in: "users"), index("a, b, c", in: "users"),
        index("a, b contains", in: "users"), index("a, b desc", in: "users"),
        index("z, y", in: "users", scope: .collectionGroup), index("a", in: "users/é"),
        index("a", in: "users-x"), index("a", in: "users_x"), index("a", in: "users2"),
        vectorIndex("a", dimension: 4), vectorIndex("a", dimension: 3),
      ],
      overrides: [
        fieldIndexes("z", []), fieldIndexes("a", [], isTimeToLive: true), fieldIndexes("B", []),
        fieldIndexes("b", []), fieldIndexes(nil, []),
      ])
    #expect(
      file.sorted.composites.map { "\($0.scope.rawValue) \($0.collectionGroup) \($0)" } == [
        "COLLECTION c (a ASC, __name__ ASC, emb VECTOR<3>)",
        "COLLECTION c (a ASC, __name__ ASC, emb VECTOR<4>)",
        "COLLECTION tasks (a ASC, b ASC, __name__ ASC)",
        "COLLECTION_GROUP users (z ASC, y ASC, __name__ ASC)",
        "COLLECTION users (a ASC, b ASC, __name__ ASC)",
        "COLLECTION users (a ASC, b ASC, c ASC, __name__ ASC)",
        "COLLECTION users (a ASC, b DESC, __name__ DESC)",
        "COLLECTION users (a ASC, b ARRAY_CONTAINS, __name__ ASC)",
        "COLLECTION users (a ASC, B ASC, __name__ ASC)",
        "COLLECTION users (a DESC, b ASC, __name__ ASC)",
        "COLLECTION Users (b ASC, a ASC, __name__ ASC)",
        "COLLECTION users_x (a ASC, __name__ ASC)", "COLLECTION users-x (a ASC, __name__ ASC)",
        "COLLECTION users/é (a ASC, __name__ ASC)", "COLLECTION users2 (a ASC, __name__ ASC)",
      ])
    #expect(
      file.sorted.overrides.map { $0.field?.description ?? "*" } == ["*", "b", "B", "z", "a"])
  }
}

/// Returns the indexes of a field; `nil` is `*`.
private func fieldIndexes(
  _ name: String?, _ modes: [IndexMode], in collectionGroup: String = "c",
  isTimeToLive: Bool? = false
) -> FieldIndexes {
  FieldIndexes(
    collectionGroup: collectionGroup, field: name.map { field($0) },
    indexes: modes.map { SingleFieldIndex($0) },
    isTimeToLive: isTimeToLive)
}
