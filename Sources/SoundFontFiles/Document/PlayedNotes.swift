// SPDX-License-Identifier: Apache-2.0

/// The notes that are played with a soundfont, for each preset.
///
/// Keys and velocities are those with which the font selects zones: transposition, key shift and
/// velocity curves are already applied. Bank numbers are those in the font, without a bank offset;
/// drum kits are in bank 128.
public struct PlayedNotes: Sendable {
  /// The notes of each preset.
  private(set) var notes: [PresetNumber: NoteSet] = [:]

  /// Creates a set without notes.
  public init() {}

  /// True if the set does not contain presets.
  public var isEmpty: Bool { notes.isEmpty }

  /// Adds a note.
  ///
  /// - Parameters:
  ///   - bank: The preset's bank in the font.
  ///   - program: The preset's program in the font.
  ///   - key: The key, 0…127; other values are ignored.
  ///   - velocity: The velocity, 0…127; other values are ignored.
  public mutating func insert(bank: Int, program: Int, key: UInt8, velocity: UInt8) {
    guard key < 128, velocity < 128 else { return }
    notes[PresetNumber(bank: bank, program: program), default: NoteSet()].insert(
      key: key, velocity: velocity)
  }

  /// Adds notes of a preset.
  ///
  /// Without notes the preset stays in the font, but is silent.
  ///
  /// - Parameters:
  ///   - bank: The preset's bank in the font.
  ///   - program: The preset's program in the font.
  ///   - notes: The notes.
  package mutating func insert(bank: Int, program: Int, notes: NoteSet) {
    self.notes[PresetNumber(bank: bank, program: program), default: NoteSet()].formUnion(notes)
  }

  /// Adds a preset without notes, which then remains in the font, but is silent.
  ///
  /// Use it for presets whose existence influences a player's choice of other presets. For example,
  /// for a song in MT-32 mode, Downbeat checks if the font has the presets 127:0 and 128:127.
  ///
  /// - Parameters:
  ///   - bank: The preset's bank in the font.
  ///   - program: The preset's program in the font.
  public mutating func insertPreset(bank: Int, program: Int) {
    insert(bank: bank, program: program, notes: NoteSet())
  }

  /// Adds all notes of a preset.
  ///
  /// - Parameters:
  ///   - bank: The preset's bank in the font.
  ///   - program: The preset's program in the font.
  public mutating func insertAll(bank: Int, program: Int) {
    notes[PresetNumber(bank: bank, program: program)] = NoteSet.all
  }
}

/// The bank and program of a preset.
struct PresetNumber: Hashable, Sendable {
  let bank: Int
  let program: Int
}

/// A set of notes, each a key and a velocity.
package struct NoteSet: Hashable, Sendable {
  /// A bit for each velocity of each key: two words per key.
  private var words: [UInt64]

  /// The number of words in a set.
  package static let wordCount = 256

  /// Creates a set from bits; by default it is empty.
  ///
  /// - Parameter words: `wordCount` words, two per key. The lowest bit of the first word is
  ///   velocity 0, and the lowest bit of the second one velocity 64.
  /// - Precondition: `words` has `wordCount` elements.
  package init(words: [UInt64] = Array(repeating: 0, count: wordCount)) {
    precondition(words.count == Self.wordCount)
    self.words = words
  }

  /// True if the set does not contain notes.
  package var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

  /// Returns true if the set contains a note.
  ///
  /// - Parameters:
  ///   - key: The key, 0…127.
  ///   - velocity: The velocity, 0…127.
  /// - Returns: True if it contains the note; false for other numbers.
  package func contains(key: UInt8, velocity: UInt8) -> Bool {
    guard key < 128, velocity < 128 else { return false }
    return words[2 * Int(key) + Int(velocity) / 64] >> UInt64(velocity % 64) & 1 != 0
  }

  /// Adds the notes of another set.
  package mutating func formUnion(_ other: Self) {
    for word in words.indices { words[word] |= other.words[word] }
  }

  /// All notes.
  static let all: NoteSet = {
    var all = NoteSet()
    all.words = Array(repeating: .max, count: 256)
    return all
  }()

  /// Adds a note.
  ///
  /// - Parameters:
  ///   - key: The key, 0…127.
  ///   - velocity: The velocity, 0…127.
  /// - Precondition: Both are in range.
  package mutating func insert(key: UInt8, velocity: UInt8) {
    words[2 * Int(key) + Int(velocity) / 64] |= 1 << UInt64(velocity % 64)
  }

  /// Adds the notes of another set that are in a range.
  mutating func formUnion(_ other: Self, in range: NoteRange) {
    for word in range.words { words[word] |= other.words[word] & range.mask(word) }
  }

  /// True if the set contains a note in a range.
  func hasNote(in range: NoteRange) -> Bool {
    range.words.contains { words[$0] & range.mask($0) != 0 }
  }
}

/// The range of keys and velocities of a zone; empty if a minimum exceeds its maximum.
struct NoteRange {
  private var keys: (low: Int, high: Int) = (0, 127)
  /// The bits of the velocities 0…63 and 64…127.
  private var masks: (low: UInt64, high: UInt64) = (.max, .max)

  /// Creates the range of a zone, as Downbeat's voices read it.
  ///
  /// The key range must be before all other generators except the velocity range, which must be
  /// before all others. A range at another position is ignored.
  ///
  /// Source: SoundFont 2.04, section 8.1.2, generators 43 and 44.
  init(_ zone: SoundFontDocument.Zone) {
    var areKeysSet = false
    for generator in zone.generators {
      switch generator.kind {
      case 43 where !areKeysSet:
        keys = (Int(generator.amount & 0xFF), Int(min(127, generator.amount >> 8)))
        areKeysSet = true
      case 43: continue
      case 44:
        masks = Self.masks(generator.amount & 0xFF, generator.amount >> 8)
        return
      default: return
      }
    }
  }

  private static func masks(_ low: UInt16, _ high: UInt16) -> (low: UInt64, high: UInt64) {
    var bits: (low: UInt64, high: UInt64) = (0, 0)
    for velocity in stride(from: Int(low), through: Int(min(127, high)), by: 1) {
      if velocity < 64 {
        bits.low |= 1 << UInt64(velocity)
      } else {
        bits.high |= 1 << UInt64(velocity - 64)
      }
    }
    return bits
  }

  /// The indices of its words in a set.
  fileprivate var words: Range<Int> {
    keys.low <= keys.high ? 2 * keys.low..<2 * keys.high + 2 : 0..<0
  }

  fileprivate func mask(_ word: Int) -> UInt64 { word % 2 == 0 ? masks.low : masks.high }
}
