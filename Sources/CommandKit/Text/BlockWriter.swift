// SPDX-License-Identifier: Apache-2.0

/// Standard output in large writes: what is appended is collected first.
package struct BlockWriter {
  private static let size = 1 << 16

  /// The bytes that are not written yet; append lines to them, and call `pass` after each line.
  package var bytes: [UInt8] = []
  /// True for text for a person, which is in the character set of the locale.
  private let isText: Bool

  /// Creates a writer.
  ///
  /// - Parameter isText: true for lines for a person, false for data.
  package init(isText: Bool = false) {
    self.isText = isText
    bytes.reserveCapacity(Self.size * 2)
  }

  /// Writes what has been collected, where it is enough for a write.
  package mutating func pass() throws(Failure) {
    if bytes.count >= Self.size { try flush() }
  }

  /// Writes all that has been collected.
  package mutating func flush() throws(Failure) {
    let written = isText ? LocaleText.shown(bytes) : bytes
    let result = unsafe written.withUnsafeBytes { bytes in
      Result { () throws(Failure) in try unsafe Console.current.write(bytes) }
    }
    try result.get()
    bytes.removeAll(keepingCapacity: true)
  }
}
