// Users and their posts as dictionaries, as they are commonly written for Firebase. Only the
// imports would differ there: FirebaseFirestore, Foundation.
import Foundation
import HearthFirebase

struct UserProfile {
  let uid: String
  let name: String
  let age: Int
  let isAdmin: Bool
  let joined: Date
  let interests: [String]

  init(uid: String, name: String, age: Int, isAdmin: Bool, joined: Date, interests: [String]) {
    self.uid = uid
    self.name = name
    self.age = age
    self.isAdmin = isAdmin
    self.joined = joined
    self.interests = interests
  }

  init?(uid: String, dictionary: [String: Any]) {
    guard let name = dictionary["name"] as? String,
      let age = dictionary["age"] as? Int,
      let isAdmin = dictionary["isAdmin"] as? Bool,
      let joined = dictionary["joined"] as? Timestamp,
      let interests = dictionary["interests"] as? [String]
    else { return nil }
    self.init(
      uid: uid, name: name, age: age, isAdmin: isAdmin, joined: joined.dateValue(),
      interests: interests)
  }

  var dictionary: [String: Any] {
    [
      "name": name, "age": age, "isAdmin": isAdmin, "joined": Timestamp(date: joined),
      "interests": interests,
    ]
  }
}

struct Post {
  let id: String
  let author: DocumentReference
  let text: String
  let likes: Int
  let rating: Double?
  let place: GeoPoint?
  let meta: [String: Any]

  init?(id: String, dictionary: [String: Any]) {
    guard let author = dictionary["author"] as? DocumentReference,
      let text = dictionary["text"] as? String,
      let likes = dictionary["likes"] as? Int,
      let meta = dictionary["meta"] as? [String: Any]
    else { return nil }
    self.id = id
    self.author = author
    self.text = text
    self.likes = likes
    self.meta = meta
    rating = dictionary["rating"] as? Double
    place = dictionary["place"] as? GeoPoint
  }
}

class SocialStore {
  private let db = Firestore.firestore()

  func save(_ user: UserProfile, completion: @escaping ((any Error)?) -> Void) {
    db.collection("users").document(user.uid).setData(user.dictionary, completion: completion)
  }

  func post(
    _ text: String, number: Int, by user: UserProfile, rating: Double?, place: GeoPoint?,
    completion: @escaping ((any Error)?) -> Void
  ) {
    let author = db.collection("users").document(user.uid)
    author.collection("posts").document().setData(
      [
        "author": author, "text": text, "number": number, "likes": 0, "rating": rating as Any,
        "place": place ?? NSNull(), "meta": ["length": text.count, "tags": ["new"]],
        "created": FieldValue.serverTimestamp(),
      ], completion: completion)
  }

  func like(_ post: Post, of uid: String, completion: @escaping ((any Error)?) -> Void) {
    db.document("users/\(uid)/posts/\(post.id)").updateData(
      ["likes": FieldValue.increment(Int64(1)), "meta.liked": true], completion: completion)
  }

  func loadUsers(
    over age: Int, completion: @escaping ([UserProfile], (any Error)?) -> Void
  ) {
    db.collection("users").whereField("age", isGreaterThan: age).order(by: "age")
      .getDocuments { snapshot, error in
        let users = snapshot?.documents.compactMap {
          UserProfile(uid: $0.documentID, dictionary: $0.data())
        }
        completion(users ?? [], error)
      }
  }

  func loadPosts(of uid: String, completion: @escaping ([Post], (any Error)?) -> Void) {
    db.collection("users").document(uid).collection("posts").order(by: "number")
      .getDocuments { snapshot, error in
        let posts = snapshot?.documents.compactMap {
          Post(id: $0.documentID, dictionary: $0.data())
        }
        completion(posts ?? [], error)
      }
  }
}
