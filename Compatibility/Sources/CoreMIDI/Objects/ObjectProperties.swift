// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// A value of a property.
enum PropertyValue: @unchecked Sendable {
  // Unchecked: the dictionary is a copy, which never changes.
  case integer(Int32)
  case string(String)
  case data(Data)
  case dictionary(NSDictionary)

  /// A copy of a dictionary.
  init(_ dictionary: NSDictionary) {
    self = .dictionary((dictionary.copy() as? NSDictionary) ?? NSDictionary())
  }

  /// The value as an object.
  var object: NSObject {
    switch self {
    case .integer(let value): NSNumber(value: value)
    case .string(let value): NSString(string: value)
    case .data(let value): NSData(data: value)
    case .dictionary(let value): value
    }
  }
}

/// The properties of an object.
struct ObjectProperties: Sendable {
  private(set) var values: [String: PropertyValue] = [:]

  init(name: String, uniqueID: Int32? = nil, others: [String: PropertyValue] = [:]) {
    values = others
    values["name"] = .string(name)
    if let uniqueID { values["uniqueID"] = .integer(uniqueID) }
  }

  subscript(key: String) -> PropertyValue? {
    get { values[key] }
    set { values[key] = newValue }
  }

  func string(_ key: String) -> String? {
    if case .string(let value) = values[key] { value } else { nil }
  }

  func integer(_ key: String) -> Int32? {
    if case .integer(let value) = values[key] { value } else { nil }
  }
}
