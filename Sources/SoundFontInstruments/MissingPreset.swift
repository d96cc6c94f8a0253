// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages

/// A program that a song asks for and no loaded soundfont has.
public struct MissingPreset: Hashable, Sendable {
  /// The first channel that plays it.
  public let channel: Channel
  /// The bank asked for; 128 is the drums.
  public let bank: Int
  /// The program asked for, 0…127.
  public let program: Int
  /// What is heard in its place, or nil where it is silent.
  public let replacement: Replacement?

  /// The preset that stands in.
  public struct Replacement: Hashable, Sendable {
    /// Its bank.
    public let bank: Int
    /// Its program.
    public let program: Int
  }

  /// Whether only a variation is missing: the same program of bank 0, or the standard kit, stands
  /// in.
  public var isVariation: Bool {
    guard let replacement else { return false }
    return replacement.bank == 128 ? bank == 128 : replacement.program == program
  }
}
