// SPDX-License-Identifier: Apache-2.0
package import CommandKit

extension EditDistance {
  /// Reads the next word of an operation as a distance.
  package init(_ words: inout EditWords, _ what: String, isGrid: Bool = false) throws {
    try self.init(parsing: words.takeValue(what), isGrid: isGrid)
  }
}
