import Foundation
import GRDB

/// The record that every contender decodes: eight fields, one of them a struct.
struct Task: Codable, Equatable {
  struct Place: Codable, Equatable {
    var city: String
    var floor: Int
  }

  var title: String
  var userID: String
  var details: String?
  var priority: Int
  var estimate: Double
  var isDone: Bool
  var createdTime: Date
  var place: Place

  static func sample(_ number: Int) -> Task {
    Task(
      title: "Task number \(number) of many",
      userID: "user-\(number % 1000)-abcdefghijkl",
      details: number % 3 == 0 ? nil : "Some text that says what is to be done for \(number)",
      priority: number % 5,
      estimate: Double(number % 97) + 0.25,
      isDone: number % 2 == 0,
      // Whole microseconds, which every contender keeps.
      createdTime: Date(timeIntervalSinceReferenceDate: 800_000_000 + Double(number)),
      place: Place(city: number % 2 == 0 ? "Kyoto" : "Osaka", floor: number % 12))
  }
}

/// The same task in the columns of a table, as GRDB's records store it without JSON in a column.
struct TaskRow: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "task"

  var id: Int64
  var title: String
  var userID: String
  var details: String?
  var priority: Int
  var estimate: Double
  var isDone: Bool
  var createdTime: Double
  var city: String
  var floor: Int

  init(_ number: Int) {
    let task = Task.sample(number)
    id = Int64(number)
    title = task.title
    userID = task.userID
    details = task.details
    priority = task.priority
    estimate = task.estimate
    isDone = task.isDone
    createdTime = task.createdTime.timeIntervalSinceReferenceDate
    city = task.place.city
    floor = task.place.floor
  }
}
