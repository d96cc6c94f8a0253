// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// A note of any pitch, called an extended note in Core Audio.
///
/// `MusicTrack.insert(tuned:)` stores it as a note of a free key, with messages of the MIDI Tuning
/// Standard that tune the key while the note sounds. Every instrument that supports this standard
/// can play it, from a file or over a port.
public struct TunedNote: Hashable, Sendable {
  /// The first of the sixteen tuning programs for tuned notes, one for each channel.
  static let firstProgram: UInt8 = 112

  /// The tick at which the note begins.
  public var tick: Tick
  /// The MIDI channel on which the note is sent.
  public var channel: Channel
  /// The pitch, which need not be that of a key.
  public var pitch: Pitch
  /// The velocity of the note-on, 1…127.
  public var velocity: UInt8
  /// The duration in ticks, 0…2³² − 2.
  public var duration: Int64
  /// The velocity of the note-off, 0…127.
  public var releaseVelocity: UInt8

  /// Creates a note from its values.
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

  /// The note on a key that is tuned to the pitch.
  func note(on key: Key) -> Note {
    Note(
      channel, key, velocity: velocity, duration: duration, releaseVelocity: releaseVelocity)
  }

  /// The SysEx that changes the pitch of one key for notes that begin later, including F7.
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

  /// The messages that select the tuning program of a channel: registered parameter 3.
  static func selection(on channel: Channel) -> [Message] {
    [(101, 0), (100, 3), (6, firstProgram + channel.index), (101, 127), (100, 127)].map {
      .control(channel, Controller($0.0), value: $0.1)
    }
  }
}
