// SPDX-License-Identifier: Apache-2.0

/// A soundfont with fewer presets, made from the unchanged start of the original file and smaller
/// tables.
///
/// A synthesiser that reads the excerpt loads only the presets that a song needs. Samples keep
/// their positions in the file, so they are read from the original file.
public struct SoundFontExcerpt: Sendable {
  /// The number of bytes at the start that are the same as in the original file, except the size at
  /// byte 4.
  public let ownByteCount: Int
  /// The bytes after the start: the list `pdta` with the smaller tables.
  public let tables: [UInt8]

  /// The size to write at byte 4: the number of bytes that follow this field.
  public var size: Int { ownByteCount + tables.count - 8 }
}

extension SoundFontTables {
  /// Returns an excerpt with the presets of some programs in all banks, with their instruments and
  /// samples.
  ///
  /// - Parameter programs: The programs, 0…127.
  /// - Returns: The excerpt; nil if the font does not contain such presets, or if other data
  ///   follows the font in its file, because synthesisers then refuse to read samples.
  /// - Complexity: O(n) in the size of the tables.
  public func excerpt(programs: Set<Int>) -> SoundFontExcerpt? {
    guard isWhole, let tables = hydra.excerpt(programs: programs) else { return nil }
    return SoundFontExcerpt(ownByteCount: tablesStart, tables: tables)
  }
}
