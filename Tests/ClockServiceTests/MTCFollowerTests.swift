// SPDX-License-Identifier: Apache-2.0
import ClockService
import MIDIMessages
import MusicalTime
import TestSupport
import Testing

@Suite struct MTCFollowerTests {
  static let rates: [FrameRate] = [.fps24, .fps25, .fps2997Drop, .fps30]

  /// Quarter frames around every kind of carry: seconds, minutes, dropped labels, hours, midnight.
  static func places(_ rate: FrameRate) -> [Int64] {
    let frames = [
      rate.framesPerDay / 2, Int64(rate.nominal) * 17, Int64(rate.nominal) * 60,
      rate.framesPerTenMinutes, rate.framesPerTenMinutes / 10, rate.framesPerTenMinutes * 6,
      rate.framesPerTenMinutes * 60, rate.framesPerDay,
    ]
    return frames.flatMap { frame in (-12...12).map { 4 * (frame & ~1) + $0 } }
  }

  @Test(arguments: rates, [Int64(1), -1])
  func `eight quarter frames lock, from any piece and in either direction`(
    rate: FrameRate, step: Int64
  ) throws {
    let day = 4 * rate.framesPerDay
    var undecided = 0
    for place in Self.places(rate) {
      var wire = TimecodeWire(rate, at: place)
      wire.run(7, step: step)
      #expect(wire.follower.position == nil)
      wire.run(1, step: step)
      // Only where drop-frame labels leave two answers is one message more awaited.
      if wire.follower.position == nil {
        undecided += 1
        wire.run(1, step: step)
      }
      let position = try #require(wire.follower.position, "from \(place)")
      let sent = ((wire.next - step) % day + day) % day
      #expect(position == QuarterFrameCount(count: sent, code: rate.mtcCode), "from \(place)")
      #expect(wire.follower.direction == (step > 0 ? .forward : .reverse))
      #expect(wire.follower.transport == (step > 0 ? .running : .stopped))
    }
    #expect(undecided <= (rate.isDrop ? 17 : 0))
  }
}
