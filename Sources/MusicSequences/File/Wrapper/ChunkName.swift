// SPDX-License-Identifier: Apache-2.0

/// The four letters that name a RIFF chunk.
public struct ChunkName: Hashable, Sendable {
  /// The letters as one number, the first letter in the highest byte.
  public let code: UInt32

  /// Creates a name from its letters as one number, the first letter in the highest byte.
  public init(code: UInt32) { self.code = code }

  /// Creates a name from letters.
  ///
  /// - Parameter letters: Four ASCII characters. A shorter string is padded with spaces, and a
  ///   longer one is cut off.
  public init(_ letters: String) {
    let bytes = Array(letters.utf8.prefix(4))
    code = (0..<4).reduce(0) { $0 << 8 | UInt32($1 < bytes.count ? bytes[$1] : 0x20) }
  }

  /// The four bytes, in the order of the file.
  public var bytes: [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> $0) } }

  /// True if all letters can be printed.
  var isPrintable: Bool { bytes.allSatisfy { (0x20...0x7E).contains($0) } }
}

extension ChunkName: CustomStringConvertible {
  /// The letters; a question mark replaces each letter that cannot be printed.
  public var description: String {
    String(
      String.UnicodeScalarView(
        bytes.map { (0x20...0x7E).contains($0) ? Unicode.Scalar($0) : "?" }))
  }
}
