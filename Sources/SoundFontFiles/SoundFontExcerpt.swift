// SPDX-License-Identifier: Apache-2.0

/// A soundfont with fewer presets: the file as it is up to its tables, then smaller tables.
///
/// A synthesiser that reads it in place of the whole font takes in only what a song needs. Samples
/// keep their places, so they are read from the file itself.
public struct SoundFontExcerpt: Sendable {
  /// The number of bytes at the start that are the file's own, except the size at byte 4.
  public let ownByteCount: Int
  /// The bytes that follow: the list `pdta`.
  public let tables: [UInt8]

  /// The size at byte 4: the number of bytes that follow it.
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
