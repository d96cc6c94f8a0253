// SPDX-License-Identifier: Apache-2.0

/// Writes standard output in large blocks, for which it collects bytes.
package struct BlockWriter {
  private static let size = 1 << 16

  /// The bytes that are not written yet; append lines to them, and call `pass` after each line.
  package var bytes: [UInt8] = []
  /// True for text for the user, which is converted to the character set of the locale.
  private let isText: Bool

  /// Creates a writer.
  ///
  /// - Parameter isText: True for lines for the user; false, the default, for data.
  package init(isText: Bool = false) {
    self.isText = isText
    bytes.reserveCapacity(Self.size * 2)
  }

  /// Writes the collected bytes if they are enough for a block.
  package mutating func pass() throws(Failure) {
    if bytes.count >= Self.size { try flush() }
  }

  /// Writes the collected bytes.
  package mutating func flush() throws(Failure) {
    let written = isText ? LocaleText.shown(bytes) : bytes
    let result = unsafe written.withUnsafeBytes { bytes in
      Result { () throws(Failure) in try unsafe Console.current.write(bytes) }
    }
    try result.get()
    bytes.removeAll(keepingCapacity: true)
  }
}
