// SPDX-License-Identifier: Apache-2.0
import MusicalTime
import Testing

@Suite struct TimecodeTests {
  static let dropRates = FrameRate.allCases.filter(\.isDrop)

  @Test func `there are 23 rates with 23 names`() throws {
    #expect(FrameRate.allCases.count == 23)
    #expect(Set(FrameRate.allCases.map(\.name)).count == 23)
    for rate in FrameRate.allCases { #expect(try FrameRate(parsing: rate.name) == rate) }
  }

  @Test(arguments: [
    ("23.98", FrameRate.fps23976), ("30000/1001", .fps2997), ("30000/1001df", .fps2997Drop),
    ("29.97df", .fps2997Drop), ("29.97ndf", .fps2997), ("60drop", .fps60Drop), ("120", .fps120),
  ])
  func `rates have other spellings`(_ text: String, _ rate: FrameRate) throws {
    #expect(try FrameRate(parsing: text) == rate)
  }

  @Test(arguments: ["", "x", "23", "29.97x", "25d", "2997/100d5", "1/0"])
  func `text that is not the name of a rate is refused`(_ text: String) {
    #expect(throws: TimeError.self) { try FrameRate(parsing: text) }
  }

  @Test(arguments: dropRates)
  func `labels that drop-frame counting skips are refused at every drop rate`(
    _ rate: FrameRate
  ) throws {
    for minute: UInt8 in 0..<60 {
      for frame in 0..<UInt8(rate.droppedLabels) {
        let label = TimecodeLabel(hours: 1, minutes: minute, seconds: 0, frames: frame)
        if minute % 10 == 0 {
          #expect(throws: Never.self) { try rate.validate(label) }
        } else {
          #expect(throws: TimeError.self) { try rate.validate(label) }
        }
      }
    }
  }

  @Test func `the error for a dropped label contains the label after the gap`() {
    let error = TimeError.droppedLabel(label: "00:01:00;00", next: "00:01:00;02")
    #expect(throws: error) {
      try Timecode(
        label: TimecodeLabel(hours: 0, minutes: 1, seconds: 0, frames: 0), rate: .fps2997Drop)
    }
  }

  @Test func `the day policies differ only outside a label day`() throws {
    let late = Timecode(frame: 2_160_005, rate: .fps25)
    #expect(try FrameRate.fps25.text(of: late.label(.wrap)) == "00:00:00:05")
    #expect(try FrameRate.fps25.text(of: late.label(.days)) == "1 00:00:00:05")
    #expect(try FrameRate.fps25.text(of: late.label(.clamp)) == "23:59:59:24")
    #expect(throws: TimeError.self) { try late.label(.signed) }
    let early = Timecode(frame: -25, rate: .fps25)
    #expect(try FrameRate.fps25.text(of: early.label(.wrap)) == "23:59:59:00")
    #expect(try FrameRate.fps25.text(of: early.label(.signed)) == "-00:00:01:00")
    #expect(try FrameRate.fps25.text(of: early.label(.clamp)) == "00:00:00:00")
  }

  @Test func `extreme labels can be written`() throws {
    for count in [Int64.min, .max] {
      for policy in DayPolicy.allCases where policy != .signed {
        let code = try #require(Timecode(subframes: count, base: 65535, rate: .fps11988Drop))
        #expect(throws: Never.self) { try code.label(policy) }
      }
    }
  }

  @Test func `an offset above 30 frames per second keeps the odd frame in its hundredths`() throws {
    let code = try TimecodeText(parsing: "10:00:00:03").timecode(rate: .fps48, subframeBase: 1)
    let offset = try SMPTEOffset.at(code, rounding: .exact).value
    #expect(offset.payload == [0x0A, 0, 0, 1, 50])
    #expect(offset.timecode.description == "10:00:00:01.50")
  }

  @Test func `an offset that rounds up to a whole frame carries into the label`() throws {
    let text = try TimecodeText(parsing: "23:59:59:23.999/1000")
    let code = try text.timecode(rate: .fps24, subframeBase: nil)
    let offset = try SMPTEOffset.at(code, rounding: .nearest)
    #expect(offset.value.payload == [0, 0, 0, 0, 0])
    #expect(offset.residue == Ratio(-1, over: 10))
  }

  @Test func `time code survives encoding and decoding`() throws {
    for code in MTCCode.allCases {
      let time = try MTCTime(code: code, hours: 23, minutes: 41, seconds: 59, frames: 23)
      #expect(try MTCTime(fullFrame: time.fullFrame()) == time)
      #expect(try MTCTime(quarterFrames: (0..<8).map(time.quarterFrame)) == time)
    }
  }

  @Test(arguments: [[], [0xF0], [0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x70]] as [[UInt8]])
  func `bytes that are not time code are refused`(_ bytes: [UInt8]) {
    #expect(throws: TimeError.self) { try MTCTime(fullFrame: bytes) }
    #expect(throws: TimeError.self) { try MTCTime(quarterFrames: bytes) }
    #expect(throws: TimeError.self) { try SMPTEOffset(payload: bytes) }
  }
}
