// SPDX-License-Identifier: Apache-2.0
import ClockService
import MIDIMessages
import MusicalTime

/// A master's cable: messages at instants, and the results of the follower at its end.
struct ClockWire {
  var follower: MIDIClockFollower
  var now = HostTime(nanoseconds: 7_000_000_000)
  private(set) var events: [FollowerEvent] = []

  init(_ settings: MIDIClockFollower.Settings = .init()) {
    follower = MIDIClockFollower(settings: settings)
  }

  mutating func send(_ status: UInt8, _ data1: UInt8 = 0, _ data2: UInt8 = 0) {
    events += follower.take(Message(status: status, data1: data1, data2: data2), at: now)
  }

  /// Clocks at a tempo; the first one is a period from now.
  mutating func clocks(
    _ count: Int, tempo: Double = 120, jitter: () -> Double = { 0 },
    each: (ClockWire) -> Void = { _ in }
  ) {
    let start = now
    let period = 2.5e9 / tempo
    for index in 0..<count {
      let late = Int64((Double(index + 1) * period + jitter()).rounded())
      now = max(now, start.advanced(byNanoseconds: late))
      send(0xF8)
      each(self)
    }
    now = max(now, start.advanced(byNanoseconds: Int64((Double(count) * period).rounded())))
  }

  mutating func wait(milliseconds: Int64) {
    for _ in 0..<milliseconds {
      now = now.advanced(byNanoseconds: 1_000_000)
      events += follower.advance(to: now)
    }
  }

  /// The events since the last call.
  mutating func takeEvents() -> [FollowerEvent] {
    defer { events = [] }
    return events
  }

  var tempo: Double { follower.tempo?.beatsPerMinute ?? .nan }

  /// The published position in quarter notes.
  func quarters(at time: HostTime) -> Double? {
    follower.timeline(at: time).map { $0.position(at: time) / 24 }
  }
}

extension Timeline {
  /// The count at an instant as a real number.
  func position(at time: Time) -> Double {
    let scaled = Int128(time.nanoseconds) * Int128(denominator) - scaledOrigin
    return Double(countOrigin) + Double(scaled) / Double(numerator)
  }
}
