// SPDX-License-Identifier: Apache-2.0
import MusicalTime
import Testing

@Suite struct TimeExpressionTests {
  typealias Value = TimeExpression.Value

  private static func position(
    _ bar: Int32, _ beat: UInt16 = 1, _ subbeat: UInt16 = 0, _ divisor: UInt16? = nil
  ) -> Value {
    .barBeat(bar: bar, beat: beat, subbeat: subbeat, divisor: divisor)
  }

  @Test(arguments: [
    ("12|3|240", position(12, 3, 240)), ("12.3.240", position(12, 3, 240)),
    ("12|3|240/480", position(12, 3, 240, 480)), ("12|3", position(12, 3)),
    ("bbt:12", position(12)), ("bbt:12.3", position(12, 3)), ("bar:12|3", position(12, 3)),
    ("0|4|0", position(0, 4)), ("-1|1|0", position(-1)), ("-1.1.0", position(-1)),
    ("bar 33", position(33)), ("Bar 33 beat 2", position(33, 2)),
    ("bar2", position(2)), ("bar2 beat 3", position(2, 3)), ("bar 0", position(0)),
  ])
  func `bars and beats are written with bars or full stops`(text: String, value: Value) throws {
    #expect(try TimeExpression(text).value == value)
  }

  @Test(arguments: [
    ("1:02:03", Ratio(3723)), ("1:02:03.5", Ratio(7447, over: 2)), ("90:00", Ratio(5400)),
    ("3:25.5", Ratio(411, over: 2)), ("-0:01.5", Ratio(-3, over: 2)), ("100:00:00", 360_000),
    ("3m25.5s", Ratio(411, over: 2)), ("1h2m3s", 3723), ("250ms", Ratio(1, over: 4)),
    ("-250ms", Ratio(-1, over: 4)), ("12us", Ratio(12, over: 1_000_000)),
    ("12µs", Ratio(12, over: 1_000_000)), ("7ns", Ratio(7, over: 1_000_000_000)),
    ("86400s", 86400), ("1001/30000s", Ratio(1001, over: 30000)), (".5s", Ratio(1, over: 2)),
    ("-1m30s", -90), ("1.5h", 5400), ("90m", 5400), ("1S500MS", Ratio(3, over: 2)),
    ("clock:1:30", 90), ("sec:12.3", Ratio(123, over: 10)), ("sec:-1", -1), ("sec:1:30", 90),
    ("90 s", 90), ("-250 ms", Ratio(-1, over: 4)), ("3 m 25.5 s", Ratio(411, over: 2)),
    ("12  µs", Ratio(12, over: 1_000_000)), ("1h 2m 3s", 3723),
    ("ms:1500", Ratio(3, over: 2)), ("us:3", Ratio(3, over: 1_000_000)), ("ns:5s", 5),
  ])
  func `clock times are seconds`(text: String, seconds: Ratio) throws {
    #expect(try TimeExpression(text).value == .seconds(seconds))
  }

  @Test(arguments: [
    ("48000@48k", Value.samples(48000, SampleRate(hertz: 48000))),
    ("48000smp", .samples(48000, nil)),
    ("-10samples@44.1k", .samples(-10, SampleRate(hertz: 44100))),
    ("smp:5@96000Hz", .samples(5, SampleRate(hertz: 96000))), ("1920t", .ticks(1920, nil)),
    ("48000 samples", .samples(48000, nil)), ("2 beats", .beats(2)),
    ("120 bpm", .tempo(500_000)), ("50 %", .portion(Ratio(1, over: 2))),
    ("1920t@480", .ticks(1920, PPQN(480))), ("tick:7@96", .ticks(7, PPQN(96))),
    ("4.5b", .beats(Ratio(9, over: 2))), ("7/3q", .beats(Ratio(7, over: 3))),
    ("107892f@29.97df", .frames(107_892, .fps2997Drop)), ("-1f", .frames(-1, nil)),
    ("frame:3/2@25", .frames(Ratio(3, over: 2), .fps25)), ("125bpm", .tempo(480_000)),
    ("480000us/q", .tempo(480_000)), ("host:12", .hostTime(12)), ("spp:16", .beats(4)),
    ("clk:24", .beats(1)), ("48clk", .beats(2)), ("50%", .portion(Ratio(1, over: 2))),
    ("@verse 2", .marker("verse 2")), ("@a:b|c", .marker("a:b|c")), ("now", .now),
    ("@part - loud", .marker("part - loud")), ("1/3t", .ticks(Ratio(1, over: 3), nil)),
    ("1/4t@480", .ticks(Ratio(1, over: 4), PPQN(480))), ("1/4b", .beats(Ratio(1, over: 4))),
  ])
  func `a number can have a unit`(text: String, value: Value) throws {
    #expect(try TimeExpression(text).value == value)
  }

  @Test(arguments: [
    ("1/1", Ratio(4)), ("1/2", 2), ("1/4", 1), ("1/8", Ratio(1, over: 2)),
    ("3/16", Ratio(3, over: 4)),
    ("1/8.", Ratio(3, over: 4)), ("1/8..", Ratio(7, over: 8)), ("1/4...", Ratio(15, over: 8)),
    ("1/4t", Ratio(2, over: 3)), ("1/8T", Ratio(1, over: 3)), ("-1/4", -1),
    ("1/128", Ratio(1, over: 32)), ("1/8d", Ratio(3, over: 4)), ("1/4D", Ratio(3, over: 2)),
  ])
  func `a fraction of a whole note is a note value`(text: String, quarters: Ratio) throws {
    #expect(try TimeExpression(text).value == .beats(quarters))
  }

  @Test func `a sum is a time and lengths, whose bars count from 0`() throws {
    let sum = try TimeExpression("@a - 4|0|0 + 250ms - 1/8.")
    #expect(
      sum.terms == [
        .init(.marker("a")),
        .init(.barBeat(bar: 4, beat: 0, subbeat: 0, divisor: nil), isNegative: true),
        .init(.seconds(Ratio(1, over: 4))), .init(.beats(Ratio(3, over: 4)), isNegative: true),
      ])
    #expect(try TimeExpression("480 + 5s", as: .seconds).terms.count == 2)
  }

  @Test(arguments: [("16bars", false), ("1bar", false), ("-4bars", true)])
  func `bars are a length from the start`(text: String, isNegative: Bool) throws {
    let count = Int32(text.filter(\.isNumber)) ?? 0
    let length = Value.barBeat(bar: count, beat: 0, subbeat: 0, divisor: nil)
    let terms = try TimeExpression(text).terms
    #expect(terms == [.init(.beats(0)), .init(length, isNegative: isNegative)])
    #expect(
      try TimeExpression("@a + 3bars").terms.last
        == .init(.barBeat(bar: 3, beat: 0, subbeat: 0, divisor: nil)))
    #expect(
      try TimeExpression("\(text) - 1/8").terms == terms + [
        .init(.beats(Ratio(1, over: 2)), isNegative: true)
      ])
  }

  @Test(arguments: [
    ("01:02:03:12", false, nil, FrameRate?.none), ("01:02:03;12", true, nil, nil),
    ("01;02;03;12", true, nil, nil), ("01:02:03:12@29.97df", false, nil, .fps2997Drop),
    ("01:02:03;12@29.97", true, nil, .fps2997Drop), ("01:02:03:12.40/80@25", false, 80, .fps25),
    ("01:02:03.12@25", false, nil, .fps25), ("01:02:03,12@30", false, nil, .fps30),
    ("smpte:01:02:03.12", false, nil, nil), ("smpte:01:02:03:12", false, nil, nil),
    ("01:02:03:12@30000/1001df", false, nil, .fps2997Drop),
  ])
  func `labels keep their rate`(
    text: String, isDrop: Bool, base: Int?, rate: FrameRate?
  ) throws {
    guard case .timecode(let written) = try TimeExpression(text).value else {
      Issue.record("\(text) is a label")
      return
    }
    #expect(written.label.hours == 1 && written.label.minutes == 2)
    #expect(written.label.seconds == 3 && written.label.frames == 12)
    #expect(written.isDrop == isDrop)
    #expect(written.subframeBase.map(Int.init) == base)
    #expect(written.rate == rate)
  }

  @Test(arguments: TimeFormat.allCases)
  func `a given format reads the same as its prefix`(format: TimeFormat) throws {
    let text = format == .timecode ? "00:00:01:00" : "12"
    if format == .clock { return }
    let outside = try TimeExpression(text, as: format)
    #expect(try outside == TimeExpression("\(format.rawValue):\(text)"))
  }

  @Test(arguments: [
    ("30", "30s"), ("1.5", "1.5s"), ("-2", "-2s"), ("17.1.0", "17.1.0"), ("100smp", "100smp"),
    ("bar 2", "2|1|0"), ("2bars", "0b + 2|0|0"), ("@chorus", "@chorus"), ("1:30", "1:30"),
    ("50%", "50%"), ("1/8", "1/8"),
    ("30 + 4|0|0", "30s + 4|0|0"), ("tick:30", "tick:30"), ("4b - 1", "4b - 1s"),
  ])
  func `a unit can be assumed for a bare number, and nothing else changes`(
    text: String, meaning: String
  ) throws {
    let read = try TimeExpression(text, bareNumbersAs: .seconds)
    #expect(try read == TimeExpression(meaning))
  }

  @Test func `names of formats have common plurals`() {
    #expect(TimeFormat(name: "samples") == .samples)
    #expect(TimeFormat(name: "ticks") == .ticks)
    #expect(TimeFormat(name: "seconds") == .seconds)
    #expect(TimeFormat(name: "timecode") == .timecode)
    #expect(TimeFormat(name: "parsecs") == nil)
  }
}
