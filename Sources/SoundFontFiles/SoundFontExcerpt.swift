// SPDX-License-Identifier: Apache-2.0

/// A soundfont with fewer presets: the unchanged file up to its tables, and smaller tables.
///
/// A synthesiser that reads the excerpt loads only the presets that a song needs. Samples keep
/// their positions, so they are read from the file itself.
public struct SoundFontExcerpt: Sendable {
  /// The number of bytes at the start that are those of the file, except the size at byte 4.
  public let ownByteCount: Int
  /// The following bytes: the list `pdta`.
  public let tables: [UInt8]

  /// The size to write at byte 4: the number of bytes after it.
  public var size: Int { ownByteCount + tables.count - 8 }
}

extension SoundFontTables {
  /// Returns the presets of some programs in all banks, with their instruments and samples.
  ///
  /// - Parameter programs: The programs, 0…127.
  /// - Returns: The excerpt; nil if the font does not contain such presets, or other data follows
  ///   the font in its file, which synthesisers refuse when they read samples.
  /// - Complexity: O(n) in the size of the tables.
  public func excerpt(programs: Set<Int>) -> SoundFontExcerpt? {
    guard isWhole, let tables = hydra.excerpt(programs: programs) else { return nil }
    return SoundFontExcerpt(ownByteCount: tablesStart, tables: tables)
  }
}
