// SPDX-License-Identifier: Apache-2.0
import MusicalTime
import Testing

@Suite struct TimeContextTests {
  /// 4/4 at 120, then 7/8 from quarter note 8 at 100, at 29.97 drop-frame with an offset of one
  /// hour.
  private func context() throws -> TimeContext {
    let resolution = try #require(PPQN(480))
    let tempo = try #require(Tempo(microsecondsPerQuarter: 600_000))
    var context = TimeContext(
      tempoMap: try TempoMap(
        division: .ppqn(resolution), changes: [TempoChange(tick: Tick(3840), tempo: tempo)]),
      meterMap: try MeterMap(changes: [
        MeterChange(position: 8, signature: try TimeSignature(numerator: 7, denominator: 8))
      ]))
    context.sampleRate = SampleRate(hertz: 48000)
    context.frameRate = .fps2997Drop
    context.smpteOffset = try Timecode(
      label: TimecodeLabel(hours: 1, minutes: 0, seconds: 0, frames: 0), rate: .fps2997Drop)
    context.length = Tick(3840)
    context.markers = ["chorus": Tick(1920)]
    return context
  }

  private func text(
    _ expression: String, _ format: TimeFormat, _ style: TimeValue.Style = .init()
  ) throws -> String {
    let context = try context()
    let position = try context.position(of: TimeExpression(expression))
    return try context.value(of: position, in: format, rounding: .nearest).value
      .text(as: format, style, days: .days)
  }

  @Test func `the first tick of a time is at or after it`() throws {
    let context = try context()
    #expect(try context.firstTick(of: .ticks(Ratio(479, over: 2))) == Tick(240))
    #expect(try context.firstTick(of: .ticks(240)) == Tick(240))
    #expect(try context.firstTick(of: .ticks(Ratio(-1, over: 2))) == .zero)
    #expect(try context.firstTick(of: .seconds(Ratio(1, over: 1_000_000_000))) == Tick(1))
    #expect(try context.firstTick(of: .quarters(1)) == Tick(480))
    #expect(throws: TimeError.self) { try context.firstTick(of: .ticks(Ratio(.max) * 2)) }
  }

  /// Frames and labels would round the position; host time needs an anchor.
  private static let exactFormats = TimeFormat.allCases.filter {
    ![.hostTime, .timecode, .frames].contains($0)
  }

  @Test(arguments: exactFormats)
  func `text of a format is read back to the same value`(format: TimeFormat) throws {
    let written = try text("3|2|0", format, .init(isExact: true, isShellSafe: true))
    let prefixed = "\(format.rawValue):\(written)"
    #expect(try text(prefixed, .barBeat, .init(isShellSafe: true)) == "3.2.0")
  }

  @Test(arguments: [
    ("3|1|0", TimeFormat.seconds, "4"), ("3|2|0", .seconds, "4.3"), ("3|2|0", .ticks, "4080"),
    ("3|2|0", .beats, "8.5"), ("3|2|0", .nanoseconds, "4300000000"), ("4.3s", .barBeat, "3|2|0"),
    ("0s", .timecode, "01:00:00;00"), ("01:00:00;00", .samples, "0"), ("@chorus", .seconds, "2"),
    ("50%", .ticks, "1920"), ("1/3s", .seconds, "0.333333333333"),
    ("-1/3s", .clock, "-0:00.333333333333"),
    ("3723s", .clock, "1:02:03"), ("960t@960", .ticks, "480"), ("3|2|0", .songPosition, "34"),
    ("3|2|0", .midiClocks, "204"), ("1f@25", .frames, "1"),
  ])
  func `positions are written in every format`(
    expression: String, format: TimeFormat, expected: String
  ) throws {
    #expect(try text(expression, format) == expected)
  }

  // By hand: bar 3 begins at quarter note 8 and 4 s; a beat is an eighth of 0.3 s from there on.
  @Test(arguments: [
    ("1|1 + 2|0|0", TimeFormat.beats, "8"), ("2|3 + 1|0|0", .barBeat, "3|5|0"),
    ("3|1 + 0|1|0", .beats, "8.5"), ("3|1 - 1|0|0", .beats, "4"), ("3|1 + 0|0|240", .beats, "8.25"),
    ("1s + 1b", .seconds, "1.5"), ("4s + 1/4", .seconds, "4.6"), ("4s - 1/8.", .seconds, "3.625"),
    ("0b + 1/4t", .seconds, "0.333333333333"), ("@chorus + 1|0|0", .seconds, "4"),
    ("@chorus + 250ms", .seconds, "2.25"), ("@CHORUS - 1b", .ticks, "1440"),
    ("01:00:00;00 + 00:00:01;00", .seconds, "1.001"), ("50% + 50%", .seconds, "4"),
    ("480t + 480t@960", .ticks, "720"), ("0:05 - 500ms", .seconds, "4.5"),
    ("1s + 24clk", .seconds, "1.5"), ("-1s + 2s", .seconds, "1"), ("1b + 1b - 1/2", .beats, "0"),
    ("1s + 30f", .seconds, "2.001"), ("1b + 480smp", .seconds, "0.51"),
    ("now + 1/4", .ticks, "700"), ("3|2 - @chorus", .seconds, "2.3"),
  ])
  func `musical lengths are added as music, others in seconds`(
    expression: String, format: TimeFormat, expected: String
  ) throws {
    var context = try context()
    context.now = .ticks(220)
    let position = try context.position(of: TimeExpression(expression))
    let value = try context.value(of: position, in: format, rounding: .nearest).value
    #expect(try value.text(as: format, .init(), days: .days) == expected)
  }

  @Test func `the error for an unknown marker lists the markers`() throws {
    var context = try context()
    context.markers = ["A": 0, "B": 960, "b": 1920, "C": 480]
    #expect(throws: TimeError.noMarker("trio", among: ["A", "C", "B", "b"])) {
      try context.position(of: TimeExpression("@trio"))
    }
    let sentence = "\(TimeError.noMarker("trio", among: ["A", "C", "B"]))"
    #expect(sentence == "unknown marker trio (available: @A, @C and @B)")
    #expect(try context.position(of: TimeExpression("@c")) == .ticks(480))
    #expect(try context.position(of: TimeExpression("@b")) == .ticks(1920))
    context.markers["Bb"] = 0
    context.markers["bB"] = 5
    #expect(throws: TimeError.self) { try context.position(of: TimeExpression("@bb")) }
  }

  @Test func `host times can be between nanoseconds and ticks`() throws {
    var context = try context()
    let line = try context.tempoMap.timeline(
      at: 0, originTick: 0, origin: HostTime(nanoseconds: 7), playRate: 1)
    // Tick 1 sounds 7 ns after 1 041 666 2/3 ns.
    context.anchor = try HostAnchor(line, in: context.tempoMap, at: 1)
    #expect(try context.number(of: .ticks(1), in: .hostTime) == Ratio(3_125_021, over: 3))
    let host = try context.value(of: .ticks(1), in: .hostTime, rounding: .floor)
    #expect(host.value == .count(1_041_673) && host.residue == Ratio(2, over: 3))
    #expect(
      try context.position(of: TimeExpression("host:3125021/3")) == .seconds(Ratio(1, over: 960)))
    // After the change of tempo, at 4 s and one tick of 1 250 000 ns, the anchor is still valid.
    #expect(try context.number(of: .ticks(3841), in: .hostTime) == 4_001_250_007)
  }

  @Test func `a label before the offset is before the song`() throws {
    #expect(try text("00:59:59;29", .samples) == "-1602")
  }

  @Test func `a missing value is named in the error`() throws {
    let resolution = try #require(PPQN(480))
    let bare = TimeContext(tempoMap: TempoMap(ppqn: resolution), meterMap: try MeterMap())
    for text in ["48000smp", "01:00:00:00", "5f", "50%", "@a", "host:5", "120bpm"] {
      let expression = try TimeExpression(text)
      #expect(throws: TimeError.self, "\(text)") { try bare.position(of: expression) }
    }
    #expect(throws: TimeError.missingContext("a sample rate")) {
      try bare.value(of: .seconds(1), in: .samples, rounding: .floor)
    }
    #expect(try bare.adopting(TimeExpression("1@48k")).sampleRate == SampleRate(hertz: 48000))
    #expect(try bare.adopting(TimeExpression("0:00:00:00@25")).frameRate == .fps25)
    #expect(try bare.adopting(TimeExpression("00:00:01;00")).frameRate == .fps2997Drop)
  }

  @Test func `host time needs an anchor and keeps its rate`() throws {
    var context = try context()
    let rate = try #require(SampleRate(hertz: 48000))
    context.anchor = try HostAnchor(
      SampleAnchor(
        host: HostTime(nanoseconds: 1_000_000), sample: SampleTime(frames: 480), rate: rate,
        rateScalar: Ratio(1_000_021, over: 1_000_000)))
    let position = try context.position(of: TimeExpression("host:1000001000000"))
    let samples = try context.number(of: position, in: .samples)
    #expect(try samples == 480 + Ratio(48_000_000) * Ratio(1_000_021, over: 1_000_000))
    let host = try context.value(of: position, in: .hostTime, rounding: .exact)
    #expect(host.value == .count(1_000_001_000_000))
  }

  @Test func `exact rounding throws instead of rounding`() throws {
    let context = try context()
    #expect(throws: TimeError.inexact(unit: "ticks")) {
      try context.value(of: .seconds(Ratio(1, over: 7)), in: .ticks, rounding: .exact)
    }
  }
}
