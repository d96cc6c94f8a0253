// SPDX-License-Identifier: Apache-2.0
import LinearTimecode
import MusicalTime
import TestSupport
import Testing

@Suite struct LTCBitsTests {
  private func bytes(
    _ hours: UInt8, _ minutes: UInt8, _ seconds: UInt8, _ frames: UInt8, drop: Bool = false,
    countsTo25: Bool = false
  ) -> String {
    let label = TimecodeLabel(hours: hours, minutes: minutes, seconds: seconds, frames: frames)
    return LTCBits(LTCFrame(label: label, isDrop: drop), countsTo25: countsTo25).bytes
      .map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
      .joined(separator: " ")
  }

  @Test func `frames have the same bytes as those of libltc`() {
    #expect(bytes(1, 2, 3, 4) == "04 00 03 00 02 00 01 00 FC BF")
    #expect(bytes(1, 2, 3, 4, countsTo25: true) == "04 00 03 00 02 00 01 00 FC BF")
    #expect(bytes(23, 59, 59, 29) == "09 02 09 0D 09 05 03 02 FC BF")
    #expect(bytes(23, 59, 59, 24, countsTo25: true) == "04 02 09 05 09 05 03 02 FC BF")
    #expect(bytes(10, 0, 0, 2, drop: true) == "02 04 00 00 00 00 00 01 FC BF")
  }

  @Test func `every field survives encoding, and the number of ones is even`() throws {
    var random = SplitMix(seed: 7)
    for round in 0..<2_000 {
      var frame = LTCFrame(
        label: TimecodeLabel(
          hours: .random(in: 0..<24, using: &random), minutes: .random(in: 0..<60, using: &random),
          seconds: .random(in: 0..<60, using: &random), frames: .random(in: 0..<30, using: &random)
        ), isDrop: .random(using: &random), userBits: .random(in: 0 ... .max, using: &random))
      frame.isColorLocked = .random(using: &random)
      frame.binaryGroupFlags = .random(in: 0..<8, using: &random)
      let countsTo25 = !round.isMultiple(of: 2)
      let bits = LTCBits(frame, countsTo25: countsTo25)
      #expect(bits.hasEvenParity)
      #expect(bits.bytes.map(\.nonzeroBitCount).reduce(0, +).isMultiple(of: 2))
      #expect(bits.frame(countsTo25: countsTo25) == frame)
    }
  }

  @Test func `bits that are not a label are refused`() {
    let good = LTCBits(
      LTCFrame(
        label: TimecodeLabel(
          hours: 1, minutes: 2, seconds: 3, frames: 4)), countsTo25: false
    ).content
    #expect(LTCBits(content: good | 0xF).frame(countsTo25: false) == nil)
    #expect(LTCBits(content: good | 3 << 8).frame(countsTo25: false) == nil)
    #expect(LTCBits(content: good | 6 << 24).frame(countsTo25: false) == nil)
    #expect(LTCBits(content: good | 7 << 40).frame(countsTo25: false) == nil)
    #expect(LTCBits(content: good | 3 << 56).frame(countsTo25: false) == nil)
  }

  @Test func `any 64 bits are read without a trap`() {
    var random = SplitMix(seed: 8)
    for _ in 0..<10_000 {
      let bits = LTCBits(content: .random(in: 0 ... .max, using: &random))
      guard let frame = bits.frame(countsTo25: true) else { continue }
      #expect(frame.hours < 24 && frame.minutes < 60 && frame.seconds < 60 && frame.frames < 30)
    }
  }
}
