// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages

/// A program that a song uses but the loaded soundfonts do not have.
public struct MissingPreset: Hashable, Sendable {
  /// The first channel that uses the program.
  public let channel: Channel
  /// The requested bank; 128 is for drums.
  public let bank: Int
  /// The requested program, 0…127.
  public let program: Int
  /// The preset that is played instead; nil if the notes are silent.
  public let replacement: Replacement?

  /// A preset that is played in place of a missing one.
  public struct Replacement: Hashable, Sendable {
    /// The bank of the preset.
    public let bank: Int
    /// The program of the preset.
    public let program: Int
  }

  /// True if only a variation is missing, and the same program of bank 0, or the standard drum kit,
  /// is played instead.
  public var isVariation: Bool {
    guard let replacement else { return false }
    return replacement.bank == 128 ? bank == 128 : replacement.program == program
  }
}
