// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// A JSON value that can be compared.
enum JSON: Hashable, Sendable, Decodable {
  case null
  case integer(Int64)
  case string(String)
  case array([JSON])
  case object([String: JSON])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSON].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSON].self))
    }
  }

  subscript(_ key: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members[key]
  }

  subscript(_ index: Int) -> JSON? {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }

  var elements: [JSON] {
    guard case .array(let elements) = self else { return [] }
    return elements
  }

  /// A string, or an integer as one.
  var text: String {
    switch self {
    case .string(let text): text
    case .integer(let value): "\(value)"
    default: ""
    }
  }

  /// An integer, or a string of one.
  func integer<Integer: FixedWidthInteger>() throws -> Integer {
    try #require(Integer(text), "\(self)")
  }

  /// A member that must be there.
  func member(_ key: String) throws -> JSON { try #require(self[key], "\(key)") }

  /// An element that must be there.
  func element(_ index: Int) throws -> JSON { try #require(self[index], "\(index)") }
}
