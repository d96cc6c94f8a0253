// SPDX-License-Identifier: Apache-2.0

/// A soundfont with fewer presets: the file as it is up to its tables, then smaller tables.
///
/// A synthesiser that reads it in place of the whole takes in what a song needs, not all the font
/// has. Samples lie where they lay, so those are read from the file itself.
public struct SoundFontExcerpt: Sendable {
  /// How many bytes at the start are the file's own, but for the size at byte 4.
  public let ownByteCount: Int
  /// What comes after them: the list `pdta`.
  public let tables: [UInt8]

  /// What stands at byte 4: how many bytes follow it.
  public var size: Int { ownByteCount + tables.count - 8 }
}

extension SoundFontTables {
  /// The presets of some program numbers, in every bank, and all they are made of.
  ///
  /// - Parameter programs: the numbers, 0…127.
  /// - Returns: nil where no preset has one of them, or where other bytes follow the font in its
  ///   file, which synthesisers refuse when they come back for samples.
  /// - Complexity: O(n) in the size of the tables.
  public func excerpt(programs: Set<Int>) -> SoundFontExcerpt? {
    guard isWhole, let tables = hydra.excerpt(programs: programs) else { return nil }
    return SoundFontExcerpt(ownByteCount: tablesStart, tables: tables)
  }
}
