// SPDX-License-Identifier: Apache-2.0
import MusicalTime
import Testing

@Suite struct TimeContextTests {
  /// 4/4 at 120, then 7/8 from quarter note 8 at 100, at 29.97 drop with the hour as offset.
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

  /// Frames and labels would round the position; host time needs an anchor.
  private static let exactFormats = TimeFormat.allCases.filter {
    ![.hostTime, .timecode, .frames].contains($0)
  }

  @Test(arguments: exactFormats)
  func `what is written in a format is read back from it`(format: TimeFormat) throws {
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
  func `positions come out in every format`(
    expression: String, format: TimeFormat, expected: String
  ) throws {
    #expect(try text(expression, format) == expected)
  }

  @Test func `a label before the offset is before the piece`() throws {
    #expect(try text("00:59:59;29", .samples) == "-1602")
  }

  @Test func `what is not known is asked for`() throws {
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
    context.anchor = try SampleAnchor(
      host: HostTime(nanoseconds: 1_000_000), sample: SampleTime(frames: 480), rate: rate,
      rateScalar: Ratio(1_000_021, over: 1_000_000))
    let position = try context.position(of: TimeExpression("host:1000001000000"))
    let samples = try context.number(of: position, in: .samples)
    #expect(try samples == 480 + Ratio(48_000_000) * Ratio(1_000_021, over: 1_000_000))
    let host = try context.value(of: position, in: .hostTime, rounding: .exact)
    #expect(host.value == .count(1_000_001_000_000))
  }

  @Test func `rounding exact throws rather than rounds`() throws {
    let context = try context()
    #expect(throws: TimeError.inexact(unit: "ticks")) {
      try context.value(of: .seconds(Ratio(1, over: 7)), in: .ticks, rounding: .exact)
    }
  }
}
