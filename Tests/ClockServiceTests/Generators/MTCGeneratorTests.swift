// SPDX-License-Identifier: Apache-2.0
import ClockService
import Foundation
import MIDIMessages
import MusicalTime
import TestSupport
import Testing

@Suite struct MTCGeneratorTests {
  private static let second: Int64 = 1_000_000_000
  static let rates: [FrameRate] = [
    .fps23976, .fps24, .fps25, .fps2997, .fps2997Drop, .fps30, .fps30Drop, .fps48, .fps50,
    .fps5994Drop, .fps60, .fps120,
  ]

  private func rig(
    _ rate: FrameRate,
    from label: TimecodeLabel = TimecodeLabel(hours: 0, minutes: 0, seconds: 0, frames: 0),
    map: TempoMap? = nil,
    playRate: Ratio = 1
  ) throws -> GeneratorRig {
    let map = try map ?? .constant(500_000)
    let offset = try Timecode(label: label, rate: rate)
    return GeneratorRig(
      MTCGenerator(tempoMap: map, offset: offset), map: map, playRate: playRate)
  }

  @Test(.timeLimit(.minutes(1)))
  func `a clock that runs a million times too fast does not overload a cable`() throws {
    let generator = MTCGenerator(
      tempoMap: try .constant(500_000), offset: Timecode(frame: 0, rate: .fps25))
    generator.prepareStart(at: 0, time: .zero)
    let line = Timeline<Tick, ReferenceTime>(
      countOrigin: 0, scaledOrigin: 0, numerator: 1, denominator: 1 << 20,
      validUntil: ReferenceTime(nanoseconds: .max))
    var buffer = EventBuffer(capacity: 64)
    for step in 0..<Int64(4) {
      let start = ReferenceTime(nanoseconds: step * 5_000_000)
      generator.emit(start..<start.advanced(byNanoseconds: 5_000_000), along: line, into: &buffer)
    }
    #expect(buffer.events.count <= 4 * 4_097)
  }

  private func quarterFrames(_ rig: GeneratorRig) -> [(data: UInt8, time: Int64)] {
    rig.sent.filter { $0.bytes.hasPrefix("F1") }.compactMap { event in
      UInt8(event.bytes.suffix(2), radix: 16).map { ($0, event.time) }
    }
  }

  @Test(arguments: [
    (FrameRate.fps24, "F1 70"), (.fps25, "F1 72"), (.fps2997Drop, "F1 74"), (.fps30, "F1 76"),
  ])
  func `two frames contain 02:04:06:08 in eight pieces`(rate: FrameRate, last: String) throws {
    var rig = try rig(rate, from: TimecodeLabel(hours: 2, minutes: 4, seconds: 6, frames: 8))
    try rig.start(from: 0, at: 0)
    try rig.run(to: Self.second / 10)
    let pieces = rig.sent.map(\.bytes).filter { $0.hasPrefix("F1") }.prefix(8)
    #expect(
      Array(pieces) == [
        "F1 08", "F1 10", "F1 26", "F1 30", "F1 44", "F1 50", "F1 62", last,
      ])
  }

  @Test func `23:59:58:28 at 30 is its published bytes`() throws {
    var rig = try rig(.fps30, from: TimecodeLabel(hours: 23, minutes: 59, seconds: 58, frames: 28))
    try rig.start(from: 0, at: 0)
    try rig.run(to: Self.second / 15)
    #expect(
      rig.sent.map(\.bytes) == [
        "F0 7F 7F 01 01 77 3B 3A 1C F7",
        "F1 0C", "F1 11", "F1 2A", "F1 33", "F1 4B", "F1 53", "F1 67", "F1 77",
      ])
  }

  @Test(arguments: [
    (FrameRate.fps24, 10, 10, 0), (.fps24, 11, 10, 4), (.fps24, 12, 12, 0), (.fps60, 20, 10, 0),
    (.fps60, 21, 10, 2), (.fps60, 22, 10, 4), (.fps60, 23, 10, 6), (.fps60, 24, 12, 0),
  ])
  func `a start inside a cycle begins with the piece that is due`(
    rate: FrameRate, frame: UInt8, coded: UInt8, piece: UInt8
  ) throws {
    var rig = try rig(
      rate, from: TimecodeLabel(hours: 1, minutes: 20, seconds: 32, frames: frame))
    try rig.start(from: 0, at: 0)
    try rig.run(to: Self.second / 10)
    let pieces = quarterFrames(rig)
    let first = try #require(pieces.first)
    #expect(first.data >> 4 == piece)
    #expect(first.time == 0)
    let next = try #require(pieces.first { $0.data >> 4 == 0 })
    #expect(next.data & 0xF == coded + (piece == 0 ? 0 : 2))
  }

  @Test(arguments: [
    (FrameRate.fps24, [0, 0, 0, 0], "F0 7F 7F 01 01 00 00 00 00 F7"),
    (.fps25, [0, 0, 0, 0], "F0 7F 7F 01 01 20 00 00 00 F7"),
    (.fps2997Drop, [1, 2, 3, 4], "F0 7F 7F 01 01 41 02 03 04 F7"),
    (.fps2997Drop, [1, 2, 3, 5], "F0 7F 7F 01 01 41 02 03 05 F7"),
    (.fps30, [2, 4, 6, 8], "F0 7F 7F 01 01 62 04 06 08 F7"),
    (.fps48, [2, 4, 6, 8], "F0 7F 7F 01 01 02 04 06 04 F7"),
    (.fps48, [2, 4, 6, 9], "F0 7F 7F 01 01 02 04 06 04 F7"),
    (.fps48, [2, 4, 6, 10], "F0 7F 7F 01 01 02 04 06 05 F7"),
  ])
  func `a locate while stopped sends only a full frame`(
    rate: FrameRate, label: [UInt8], bytes: String
  ) throws {
    var rig = try rig(
      rate,
      from: TimecodeLabel(
        hours: label[0], minutes: label[1], seconds: label[2], frames: label[3]))
    rig.generator.locate(to: 0)
    try rig.run(to: Self.second)
    #expect(rig.sent.map(\.bytes) == [bytes])
  }

  @Test(arguments: rates)
  func `quarter frames keep their rate at every tempo`(rate: FrameRate) throws {
    let map = try TempoMap.steps([(0, 500_000), (777, 333_333), (1501, 1_234_567)])
    var rig = try rig(rate, map: map)
    try rig.start(from: 0, at: 0)
    try rig.run(to: 5 * Self.second)
    let times = quarterFrames(rig).map(\.time)
    let up = rate.fpsDenominator * rate.mtcFrameDivisor * Self.second
    let down = 4 * rate.fpsNumerator
    #expect(times.count == Int((5 * Self.second * down + up - 1) / up))
    for (index, time) in times.enumerated() {
      #expect(time == (Int64(index) * up + down - 1) / down)
    }
  }

  @Test(arguments: rates)
  func `the labels continue, across minutes and midnight`(rate: FrameRate) throws {
    for label in [
      TimecodeLabel(hours: 0, minutes: 0, seconds: 58, frames: 0),
      TimecodeLabel(hours: 9, minutes: 59, seconds: 58, frames: 0),
      TimecodeLabel(hours: 23, minutes: 59, seconds: 58, frames: 0),
    ] {
      var rig = try rig(rate, from: label)
      try rig.start(from: 0, at: 0)
      try rig.run(to: 4 * Self.second)
      let data = quarterFrames(rig).map(\.data)
      let first = try Timecode(label: label, rate: rate)
      let divisor = rate.mtcFrameDivisor
      for cycle in 0..<data.count / 8 {
        let read = try MTCTime(quarterFrames: Array(data[cycle * 8..<cycle * 8 + 8]))
        let position = try first.advanced(byFrames: Int64(cycle) * 2 * divisor)
        #expect(read == (try MTCTime.at(position, rounding: .floor).value))
      }
      #expect(data.count / 8 > 44)
    }
  }

  @Test func `in reverse the pieces and the labels descend`() throws {
    let map = try TempoMap.constant(500_000)
    let generator = MTCGenerator(
      tempoMap: map,
      offset: try Timecode(
        label: TimecodeLabel(hours: 1, minutes: 0, seconds: 0, frames: 0), rate: .fps2997Drop))
    generator.isReversed = true
    generator.locate(to: 96_000)
    // Counts are ticks times −1: from −96 000 on, 960 per second.
    let timeline = Timeline<Tick, ReferenceTime>(
      countOrigin: -96_000, scaledOrigin: 0, numerator: 500_000_000, denominator: 480)
    var buffer = EventBuffer()
    let window = ReferenceTime.zero..<ReferenceTime(nanoseconds: 100 * Self.second)
    generator.emit(window, along: timeline, into: &buffer)
    let data = buffer.events.compactMap { event -> UInt8? in
      guard case .message(let message) = event.payload else { return nil }
      return message.data1
    }
    for (first, second) in zip(data, data.dropFirst()) {
      #expect(((first >> 4) + 7) & 7 == second >> 4)
    }
    var expected: Int64?
    let full = try #require(data.firstIndex { $0 >> 4 == 7 })
    for start in stride(from: full, to: data.count - 7, by: 8) {
      let read = try MTCTime(quarterFrames: data[start..<start + 8].reversed())
      let frame = try Timecode(label: read.label, rate: .fps2997Drop).count
      #expect(expected == nil || frame == expected)
      expected = frame - 2
    }
    #expect(data.count > 11_900)
  }

  @Test func `at half speed quarter frames are twice as far apart`() throws {
    var rig = try rig(.fps25, playRate: Ratio(1, over: 2))
    try rig.start(from: 0, at: 0)
    try rig.run(to: 2 * Self.second)
    let times = quarterFrames(rig).map(\.time)
    #expect(times == (0..<100).map { $0 * 20_000_000 })
  }

  @Test func `messages queued beyond a stop are sent again`() throws {
    var rig = try rig(.fps25)
    try rig.start(from: 0, at: 0)
    try rig.run(to: 2 * Self.second)
    rig.stop(at: Self.second)
    try rig.run(to: 3 * Self.second)
    #expect(quarterFrames(rig).count == 100)
    try rig.start(from: 960, at: 3 * Self.second)
    try rig.run(to: 4 * Self.second)
    #expect(quarterFrames(rig)[100].data >> 4 == 4)
    #expect(rig.announced.count == 2)
  }

  @Test(arguments: 1...10)
  func `windows of any length give the same events`(seed: Int) throws {
    let map = try TempoMap.steps([(0, 500_000), (777, 333_333), (1501, 1_234_567)])
    var whole = try rig(.fps2997Drop, map: map)
    var cut = try rig(.fps2997Drop, map: map)
    var random = SplitMix(seed: UInt64(seed))
    let limits = (0..<200).map { _ in Int64.random(in: 0...9 * Self.second, using: &random) }
    try whole.start(from: 100, at: Self.second)
    try cut.start(from: 100, at: Self.second)
    for limit in limits.sorted() { try cut.run(to: limit) }
    try cut.run(to: 9 * Self.second)
    try whole.run(to: 9 * Self.second)
    #expect(cut.sent.map(\.bytes) == whole.sent.map(\.bytes))
    #expect(cut.sent.map(\.time) == whole.sent.map(\.time))
  }

  /// Ten minutes, or 24 hours in long tests.
  @Test(arguments: [FrameRate.fps2997Drop, .fps25, .fps23976])
  func `after a long run the last quarter frame is at the right time`(rate: FrameRate) throws {
    let map = try TempoMap.constant(500_000)
    let generator = MTCGenerator(tempoMap: map, offset: Timecode(frame: 0, rate: rate))
    let run = TempoRun(map: map, tick: 0, time: .zero)
    generator.prepareStart(at: 0, time: .zero)
    let isLong = ProcessInfo.processInfo.environment["DOWNBEAT_LONG"] == "1"
    let day: Int64 = (isLong ? 86_400 : 600) * Self.second
    var buffer = EventBuffer()
    var count: Int64 = 0
    var last: Int64 = 0
    for start in stride(from: Int64(0), to: day, by: Int(60 * Self.second)) {
      buffer.removeAll()
      let window =
        ReferenceTime(nanoseconds: start)..<ReferenceTime(nanoseconds: start + 60 * Self.second)
      try run.forEachPiece(of: window) { part, timeline in
        generator.emit(part, along: timeline, into: &buffer)
      }
      count += Int64(buffer.events.count) - (start == 0 ? 1 : 0)
      last = buffer.events.last?.time.nanoseconds ?? last
    }
    let up = Int128(rate.fpsDenominator) * Int128(Self.second)
    let down = Int128(4 * rate.fpsNumerator)
    #expect(Int128(count) == (Int128(day) * down + up - 1) / up)
    #expect(Int128(last) == (Int128(count - 1) * up + down - 1) / down)
  }
}
