// SPDX-License-Identifier: Apache-2.0
import ClockService
import MIDIMessages
import MusicalTime

/// A machine that sends time code over a cable, and the results of the follower at its end.
struct TimecodeWire {
  var follower: MTCFollower
  var now = HostTime(nanoseconds: 3_000_000_000)
  let rate: FrameRate
  /// The next quarter frame to send.
  var next: Int64
  private(set) var events: [FollowerEvent] = []

  init(
    _ rate: FrameRate, at quarterFrame: Int64, settings: MTCFollower.Settings = .init()
  ) {
    self.rate = rate
    next = quarterFrame
    follower = MTCFollower(settings: settings)
  }

  /// The data byte of a quarter frame: the code of its cycle's piece 0.
  func data(_ quarterFrame: Int64) -> UInt8 {
    let day = 4 * rate.framesPerDay
    let wrapped = ((quarterFrame % day) + day) % day
    let piece = Int(wrapped % 8)
    let label = rate.label(ofFrameInDay: (wrapped - Int64(piece)) / 4)
    let fields = [
      label.frames, label.seconds, label.minutes, rate.mtcCode.rawValue << 5 | label.hours,
    ]
    let field = fields[piece / 2]
    return UInt8(piece) << 4 | (piece % 2 == 0 ? field & 0x0F : field >> 4)
  }

  mutating func send(_ data: UInt8) {
    events += follower.take(Message(status: 0xF1, data1: data), at: now)
  }

  /// Quarter frames in order; time passes before each.
  mutating func run(
    _ count: Int, step: Int64 = 1, speed: Double = 1, jitter: () -> Double = { 0 },
    each: (inout TimecodeWire) -> Void = { _ in }
  ) {
    let start = now
    let exact = 1e9 * Double(rate.fpsDenominator) / Double(4 * rate.fpsNumerator)
    for index in 0..<count {
      let time = Double(index + 1) * exact / speed + jitter()
      now = max(now, start.advanced(byNanoseconds: Int64(time.rounded())))
      send(data(next))
      each(&self)
      next += step
    }
  }

  mutating func wait(milliseconds: Int64) {
    for _ in 0..<milliseconds {
      now = now.advanced(byNanoseconds: 1_000_000)
      events += follower.advance(to: now)
    }
  }

  mutating func send(sysEx bytes: [UInt8]) {
    events += follower.take(sysEx: bytes.span, at: now)
  }

  mutating func takeEvents() -> [FollowerEvent] {
    defer { events = [] }
    return events
  }
}
