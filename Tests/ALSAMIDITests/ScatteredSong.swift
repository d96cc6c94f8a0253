// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicSequences
import MusicalTime
import TestSupport

/// A song of a few seconds with every kind of event, the same for every run.
enum ScatteredSong {
  /// Some 300 events on sixteen channels, at 480 ticks per quarter note and 120 beats per minute.
  static func sequence(seconds: Int64 = 3) throws -> MusicSequence {
    var random = SplitMix(seed: 5)
    var sequence = MusicSequence()
    var track = MusicTrack()
    let end = seconds * 960
    for index in 0..<Int64(100 * seconds) {
      let channel = Channel(index: UInt8(random.next() % 16))
      let tick = Tick(index * end / (100 * seconds))
      try track.insert(content(&random, channel, until: end - tick.value), at: tick)
    }
    try track.insert(.sysEx([0x7E, 0x7F, 0x09, 0x01, 0xF7]), at: Tick(end / 2))
    sequence.tracks = [track]
    return sequence
  }

  private static func content(
    _ random: inout SplitMix, _ channel: Channel, until end: Int64
  ) -> TrackEvent.Content {
    let (first, second) = (UInt8(random.next() % 128), UInt8(random.next() % 128))
    switch random.next() % 8 {
    case 0: return .message(.program(channel, first))
    case 1: return .message(.bend(channel, UInt16(first) << 7 | UInt16(second)))
    case 2: return .message(Message(status: 0xA0 | channel.index, data1: first, data2: second))
    case 3: return .message(Message(status: 0xD0 | channel.index, data1: first))
    case 4: return .message(.control(channel, Controller(first % 64), value: second))
    default:
      return .note(
        Note(
          channel, Key(first), velocity: max(second, 1),
          duration: min(end, 40 + Int64(random.next() % 200)), releaseVelocity: 64))
    }
  }

  /// A message in its transmitted form.
  typealias WireEvent = (tick: Int64, bytes: [UInt8])

  /// The messages in their transmitted form, in order, with their ticks.
  static func wire(_ sequence: MusicSequence) -> [WireEvent] {
    var cursor = SequenceCursor(sequence)
    var events: [WireEvent] = []
    while let event = cursor.next(before: Tick(.max)) {
      switch event.kind {
      case .message(let message):
        let bytes = [message.status, message.data1, message.data2].prefix(message.length)
        events.append((event.tick.value, Array(bytes)))
      case .sysEx(let place):
        let track = sequence.tracks[Int(event.track)]
        events.append((event.tick.value, [0xF0] + track.payload(place) + [0xF7]))
      default: break
      }
    }
    return events
  }
}
