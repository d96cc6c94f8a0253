// SPDX-License-Identifier: Apache-2.0
package import MusicalTime

extension Ratio {
  /// Reads a factor or a percentage: `1.5`, `80%`.
  ///
  /// - Throws: `TimeError` for any other text.
  package init(factor text: String) throws(TimeError) {
    guard text.hasSuffix("%") else {
      self = try Ratio(parsing: text)
      return
    }
    self = try Ratio(parsing: String(text.dropLast())) / 100
  }
}
