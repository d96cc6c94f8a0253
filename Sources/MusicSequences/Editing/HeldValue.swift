// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
public import MusicalTime

/// A value that applies until the next value of the same kind: a tempo, or a channel's program or
/// volume.
///
/// `MusicSequence.set` and `setTempo` set such a value over a range.
public enum HeldValue: Hashable, Sendable {
  /// A tempo.
  case tempo(Tempo)
  /// A program, 0…127.
  case program(UInt8)
  /// A volume (controller 7), 0…127.
  case volume(UInt8)
  /// Scales the existing volumes (controller 7) by a factor above 0; results are rounded to the
  /// nearest integer.
  ///
  /// For a change in decibels the factor is 10^(decibels/40). Source: General MIDI Level 1
  /// (RP-003), the response to controller 7: 40 log(value/127) dB.
  case volumeChange(factor: Double)

  /// The event that sets the value; nil for a volume change and for a tempo that a file cannot
  /// store.
  func content(on channel: Channel) -> TrackEvent.Content? {
    switch self {
    case .tempo(let tempo): MetaEvent.tempo(tempo).map(TrackEvent.Content.meta)
    case .program(let number): .message(.program(channel, number))
    case .volume(let value): .message(.control(channel, .volume, value: value))
    case .volumeChange: nil
    }
  }

  /// The value in force before the first event of this kind.
  var initial: HeldValue {
    switch self {
    case .tempo: .tempo(.standard)
    case .program: .program(0)
    case .volume, .volumeChange: .volume(100)
    }
  }

  /// The value that an event sets, or nil if the event is of another kind or channel.
  func value(of event: TrackEvent, on channel: Channel) -> HeldValue? {
    switch (self, event.content) {
    case (.tempo, .meta(let meta)): return meta.tempo.map(HeldValue.tempo)
    case (.program, .message(let message)):
      if case .program(channel, let number) = message.kind { return .program(number) }
    case (.volume, .message(let message)), (.volumeChange, .message(let message)):
      if case .control(channel, .volume, let value) = message.kind { return .volume(value) }
    default: break
    }
    return nil
  }

  /// The value that replaces another: the value itself or, for a change, the scaled old volume.
  ///
  /// - Throws: `SequenceError.outOfRange` if a volume would exceed 127.
  func value(replacing old: HeldValue, at tick: Tick) throws(SequenceError) -> HeldValue {
    guard case .volumeChange(let factor) = self, case .volume(let volume) = old else {
      return self
    }
    let changed = (Double(volume) * factor).rounded()
    guard (0...127).contains(changed) else {
      throw .outOfRange(
        "volume \(volume) at tick \(tick.value) cannot be raised that far: the maximum is 127")
    }
    return .volume(UInt8(changed))
  }
}
