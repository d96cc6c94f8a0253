// SPDX-License-Identifier: Apache-2.0
package import JSONText

extension JSONValue {
  /// A text, or null for nil.
  package static func text(orNull text: String?) -> JSONValue { text.map { .text($0) } ?? .null }
}
