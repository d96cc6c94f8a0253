public import MIDIMessages
public import MusicalTime
// SPDX-License-Identifier: Apache-2.0
public import SoundFontInstruments

/// Notes of a song that would be silent with the given soundfonts.
///
/// Each value groups the notes with the same port, channel, preset, key and reason.
public struct UnplayableNotes: Hashable, Sendable {
  /// The port, counted from 0.
  public let port: UInt8
  /// The MIDI channel of the notes.
  public let channel: Channel
  /// The bank that the channel has selected, 0…127, or 128 for drum kits.
  public let bank: Int
  /// The program that the channel has selected, 0…127.
  public let program: Int
  /// The key of the notes.
  public let key: Key
  /// The reason that the notes would be silent.
  public let reason: FontRehearsal.Silence
  /// The number of notes, at least 1.
  public internal(set) var count = 1
  /// The tick of the first note.
  public let firstTick: Tick
}
