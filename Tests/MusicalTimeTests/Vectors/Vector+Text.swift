// SPDX-License-Identifier: Apache-2.0
import MusicalTime
import Testing

/// Vectors of the written forms.
extension Vector {
  func textAnswer() throws -> Answer {
    switch try TimeExpression(from.value.text).value {
    case .barBeat(let bar, let beat, let subbeat, let written):
      let parts = try #require(written ?? divisor)
      let label = BarBeat(bar: bar, beat: beat, subbeat: subbeat, divisor: parts)
      return Answer(Converted(exactly: label))
    case .timecode(let text): return try labelAnswer(text)
    case .seconds(let seconds) where to.format == "ns":
      return Answer(try seconds * 1_000_000_000)
    case .samples(let samples, let rate):
      let hertz = Int64(try #require(rate).hertz)
      return Answer(
        .object(["samples": .string("\(samples)"), "sample_rate": .integer(hertz)]))
    case .seconds(let value), .ticks(let value, _), .beats(let value), .frames(let value, _),
      .tempo(let value):
      return Answer(value)
    case .hostTime, .portion, .marker, .now, .sum: return Answer(.null)
    }
  }

  private func labelAnswer(_ text: TimecodeText) throws -> Answer {
    let declared = context("smpte_rate") == nil ? nil : try frameRate
    let code = try text.timecode(rate: declared, subframeBase: nil)
    var members: [String: JSON] = [
      "label": .string(code.description), "smpte_rate": .string(code.rate.name),
    ]
    if code.subframeBase > 1 { members["subframe_base"] = .integer(Int64(code.subframeBase)) }
    return Answer(.object(members))
  }
}
