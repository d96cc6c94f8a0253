// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicalTime

/// The total duration of the notes of each track on each channel: a measure of rendering work.
struct NoteLoads {
  /// A track on a channel of a port.
  struct Place: Hashable {
    let track: UInt16
    let channel: UInt8
    var port: UInt8 = 0
  }

  /// The approximate time for which a note sounds after its release, in nanoseconds.
  private static let ringing: Int64 = 400_000_000

  /// The total duration of the notes in each place that has any, in nanoseconds.
  let nanoseconds: [Place: Int64]
  /// The length of the music in nanoseconds, at least 1.
  private let length: Int64
  /// True if all events are on the first port.
  let isOfOnePort: Bool
  /// The mean number of notes that sound at the same time.
  var density: Double { Double(nanoseconds.values.reduce(0, +)) / Double(length) }

  /// Adds up the notes of events that are in order of time.
  ///
  /// - Complexity: O(n) in the number of events.
  init(_ buffer: borrowing EventBuffer) {
    let events = buffer.events
    var sums: [Place: Int64] = [:]
    let ports = 1 + events.reduce(0) { max($0, Int($1.port)) }
    var starts = [(time: Int64, track: UInt16)](repeating: (-1, 0), count: ports * 16 * 128)
    for index in events.indices {
      guard case .message(let message) = events[index].payload,
        message.status & 0xE0 == 0x80
      else { continue }
      let channel = message.status & 0x0F
      let port = events[index].port
      let key = Int(port) << 11 | Int(channel) << 7 | Int(message.data1)
      let time = events[index].time.nanoseconds
      if starts[key].time >= 0 {
        let place = Place(track: starts[key].track, channel: channel, port: port)
        sums[place, default: 0] += time - starts[key].time + Self.ringing
      }
      let isStrike = message.status & 0x10 != 0 && message.data2 > 0
      starts[key] = (isStrike ? time : -1, events[index].track)
    }
    length = events.isEmpty ? 1 : max(1, events[events.count - 1].time.nanoseconds)
    isOfOnePort = ports == 1
    nanoseconds = sums
  }

  private init(_ loads: NoteLoads, port: UInt8) {
    nanoseconds = loads.nanoseconds.filter { $0.key.port == port }
    (length, isOfOnePort) = (loads.length, true)
  }

  /// The notes of one port.
  func ofPort(_ port: UInt8) -> NoteLoads { NoteLoads(self, port: port) }

  /// The ports that have notes, ascending.
  var ports: [UInt8] { Set(nanoseconds.keys.map(\.port)).sorted() }

  /// The total duration of the notes on each channel, in nanoseconds.
  var byChannel: [Int64] {
    var sums = [Int64](repeating: 0, count: 16)
    for (place, load) in nanoseconds { sums[Int(place.channel)] += load }
    return sums
  }
}
