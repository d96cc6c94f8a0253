// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// A note of any pitch, at its tick: what Core Audio calls an extended note.
///
/// `MusicTrack.insert(tuned:)` writes it as a note of a key that is free, and as the messages of the
/// MIDI Tuning Standard that tune this key for as long as the note lasts; so it is played by every
/// instrument that knows the standard, from files and over ports too.
public struct TunedNote: Hashable, Sendable {
  /// The first of the sixteen tuning programs that tuned notes are written in, one for each channel.
  static let firstProgram: UInt8 = 112

  /// When it begins.
  public var tick: Tick
  /// The channel.
  public var channel: Channel
  /// Its pitch.
  public var pitch: Pitch
  /// How hard it is struck, 1…127.
  public var velocity: UInt8
  /// Ticks until it is released, 0…2³² − 2.
  public var duration: Int64
  /// How fast it is let go, 0…127.
  public var releaseVelocity: UInt8

  /// Creates a note.
  public init(
    _ channel: Channel, _ pitch: Pitch, at tick: Tick, velocity: UInt8 = 64, duration: Int64,
    releaseVelocity: UInt8 = 64
  ) {
    self.tick = tick
    self.channel = channel
    self.pitch = pitch
    self.velocity = velocity
    self.duration = duration
    self.releaseVelocity = releaseVelocity
  }

  /// The note of a key that is tuned to its pitch.
  func note(on key: Key) -> Note {
    Note(
      channel, key, velocity: velocity, duration: duration, releaseVelocity: releaseVelocity)
  }

  /// A change of one key's pitch that leaves notes alone which sound already, its F7 included.
  ///
  /// Source: MIDI Tuning Standard, single note tuning change with bank, non-real-time.
  static func tuning(of key: Key, to pitch: Pitch, on channel: Channel) -> [UInt8] {
    let fraction = pitch.steps % Pitch.stepsPerSemitone
    return [
      0x7E, 0x7F, 0x08, 0x07, 0, firstProgram + channel.index, 1, key.number,
      UInt8(pitch.steps / Pitch.stepsPerSemitone), UInt8(fraction >> 7), UInt8(fraction & 0x7F),
      0xF7,
    ]
  }

  /// The messages by which a channel is given its tuning program: registered parameter 3.
  static func selection(on channel: Channel) -> [Message] {
    [(101, 0), (100, 3), (6, firstProgram + channel.index), (101, 127), (100, 127)].map {
      .control(channel, Controller($0.0), value: $0.1)
    }
  }
}
