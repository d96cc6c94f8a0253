// SPDX-License-Identifier: Apache-2.0
import JSONText
import MusicalTime

extension VectorRequest {
  /// Answers what a text of the TIME grammar says: in its own domain where that is asked for, and
  /// as a position otherwise.
  func textAnswer() throws -> VectorAnswer {
    let expression = try TimeExpression(try text)
    let maps = try context.timeContext()
    if let answer = try ownAnswer(expression, maps) { return answer }
    if target == "error" { return VectorAnswer(.null) }
    let adopted = maps.adopting(expression)
    return try answer(try adopted.position(of: expression), adopted)
  }

  /// The answer in the domain of the text; nil where another is asked for.
  ///
  /// A rate that stands in the text and not in the context is part of the answer.
  private func ownAnswer(
    _ expression: TimeExpression, _ maps: TimeContext
  ) throws -> VectorAnswer? {
    switch expression.value {
    case .barBeat(let bar, let beat, let subbeat, let divisor)
    where target == "bbt" || target == "error":
      let label = BarBeat(
        bar: bar, beat: beat, subbeat: subbeat, divisor: divisor ?? maps.subbeatDivisor)
      if context.has("meter_map") { _ = try maps.meterMap.quarters(at: label) }
      guard label.subbeat < label.divisor else {
        throw TimeError.fieldOutOfRange(
          field: "subbeat", value: "\(label.subbeat)", range: "0…\(label.divisor - 1)")
      }
      return VectorAnswer(.array(label.fields))
    case .timecode(let text) where target == "smpte" || target == "error":
      return try labelAnswer(text, maps)
    case .samples(let count, let rate?) where target == "samples" && !context.has("sample_rate"):
      return VectorAnswer(
        .object([
          ("samples", .text("\(count)")), ("sample_rate", .integer(Int(rate.hertz))),
        ]))
    case .samples(let count, _) where target == "samples": return VectorAnswer(count)
    case .ticks(let count, let resolution?) where target == "ticks" && !context.has("ppq"):
      return VectorAnswer(
        .object([("ticks", .text("\(count)")), ("ppq", .integer(Int(resolution.ticks)))]))
    case .ticks(let count, _) where target == "ticks": return VectorAnswer(count)
    case .frames(let count, _) where target == "frames": return VectorAnswer(count)
    case .tempo(let tempo) where target == "us_per_quarter": return VectorAnswer(tempo)
    case .tempo(let tempo) where target == "bpm": return VectorAnswer(try 60_000_000 / tempo)
    default: return nil
    }
  }

  private func labelAnswer(_ text: TimecodeText, _ maps: TimeContext) throws -> VectorAnswer {
    let timecode = try maps.timecode(text)
    var members: [(name: String, value: JSONValue)] = [
      ("label", .text(try timecode.text(.days))), ("smpte_rate", .text(timecode.rate.name)),
    ]
    if text.hasSubframes {
      members.append(("subframe_base", .integer(Int(timecode.subframeBase))))
    }
    return VectorAnswer(.object(members))
  }
}
