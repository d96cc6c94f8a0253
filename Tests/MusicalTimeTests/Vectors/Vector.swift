// SPDX-License-Identifier: Apache-2.0
import Foundation
import MusicalTime
import Testing

/// One line of the independent reference's answers.
struct Vector: Decodable, Sendable, CustomTestStringConvertible {
  struct Source: Decodable, Sendable {
    let format: String
    let value: JSON
    let context: JSON?
  }

  struct Target: Decodable, Sendable {
    let format: String
    let value: JSON
  }

  struct Tolerance: Decodable, Sendable {
    let value: String
  }

  let id: String
  let group: String
  let from: Source
  let to: Target
  let exact: Bool
  let rounding: String?
  let tolerance: Tolerance?

  var testDescription: String { id }

  /// The vectors of the fixture, by group.
  static let groups: [String: [Vector]] = {
    struct File: Decodable { let vectors: [Vector] }
    let path = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Fixtures/time_vectors.json")
    do {
      let file = try JSONDecoder().decode(File.self, from: Data(contentsOf: path))
      return Dictionary(grouping: file.vectors, by: \.group)
    } catch {
      fatalError("the fixture cannot be read: \(error)")
    }
  }()

  func context(_ key: String) -> JSON? { from.context?[key] }

  /// A member of the context that the vector needs.
  func required(_ key: String) throws -> JSON { try #require(context(key), "\(id): \(key)") }
}
