// SPDX-License-Identifier: Apache-2.0
import JSONText
import MusicalTime

/// The answer to a request of the machine form.
struct VectorAnswer {
  let value: JSONValue
  let isExact: Bool

  init(_ value: JSONValue, isExact: Bool = true) {
    self.value = value
    self.isExact = isExact
  }

  init(_ number: Ratio) {
    self.init(.text("\(number)"))
  }
}

extension VectorRequest {
  /// Answers the request, by the format that it starts from.
  func answer() throws -> VectorAnswer {
    switch source {
    case "smpte", "frames", "smpte_rate", "smf_meta_54", "smf_division": return try labelAnswer()
    case "bpm", "us_per_quarter", "tempo_map_prefix": return try tempoAnswer()
    case "meter_map":
      _ = try context.meterMap(value)
      return VectorAnswer(.null)
    case "cmtime": return try scaledAnswer()
    case "text": return try textAnswer()
    case "beats" where context.has("ramp"), "seconds" where context.has("ramp"):
      return try rampAnswer()
    default:
      let maps = try context.timeContext()
      return try answer(try position(maps), maps)
    }
  }

  /// The position that the value stands for.
  private func position(_ maps: TimeContext) throws -> TimePosition {
    switch source {
    case "seconds": return .seconds(try number())
    case "ns": return .seconds(try number() / 1_000_000_000)
    case "beats": return .quarters(try number())
    case "ticks": return .ticks(try number())
    case "samples":
      return try maps.position(of: TimeExpression(.samples(try number(), nil)))
    case "host_ns":
      return try maps.position(of: TimeExpression(.hostTime(try number())))
    case "bbt": return .quarters(try maps.meterMap.quarters(at: try barBeat()))
    default: throw unknownPair
    }
  }

  private func barBeat() throws -> BarBeat {
    let fields = value.elements?.compactMap(\.wholeNumber) ?? []
    guard fields.count == 4, let bar = Int32(exactly: fields[0]) else { throw bad("value") }
    if fields[1] < 1 { throw TimeError.beatBelowOne("\(fields[0])|\(fields[1])") }
    guard let beat = UInt16(exactly: fields[1]), let subbeat = UInt16(exactly: fields[2]),
      let divisor = UInt16(exactly: fields[3])
    else {
      throw TimeError.fieldOutOfRange(
        field: "bbt", value: "\(fields)", range: "0…65535 in each field")
    }
    return BarBeat(bar: bar, beat: beat, subbeat: subbeat, divisor: divisor)
  }

  /// A position in the format asked for; without a rounding as an exact number.
  func answer(_ position: TimePosition, _ maps: TimeContext) throws -> VectorAnswer {
    let formats: [String: TimeFormat] = [
      "seconds": .seconds, "ns": .nanoseconds, "samples": .samples, "ticks": .ticks,
      "beats": .beats, "bbt": .barBeat, "smpte": .timecode, "frames": .frames,
      "host_ns": .hostTime, "spp": .songPosition, "midi_clocks": .midiClocks,
    ]
    if target == "error" { return VectorAnswer(.null) }
    guard let format = formats[target] else { throw unknownPair }
    let isLabel = format == .barBeat || format == .timecode || format == .hostTime
    if rounding == nil, !isLabel {
      let number = try maps.number(of: position, in: format)
      if format.isCount { _ = try number.rounded(.floor, unit: target) }
      return VectorAnswer(number)
    }
    let converted = try maps.value(of: position, in: format, rounding: rounding ?? .exact)
    return VectorAnswer(try json(converted.value, maps), isExact: converted.isExact)
  }

  private func json(_ value: TimeValue, _ maps: TimeContext) throws -> JSONValue {
    switch value {
    case .count(let count): return .text("\(count)")
    case .number(let number): return .text("\(number)")
    case .barBeat(let label): return .array(label.fields)
    case .timecode(let timecode): return .text(try timecode.text(maps.dayPolicy))
    }
  }
}

extension BarBeat {
  /// Bar, beat, subbeat and divisor.
  var fields: [JSONValue] {
    [Int(bar), Int(beat), Int(subbeat), Int(divisor)].map(JSONValue.integer)
  }
}

extension Timecode {
  /// The label as text.
  func text(_ policy: DayPolicy) throws(TimeError) -> String {
    rate.text(of: try label(policy), subframeBase: subframeBase)
  }
}

extension TimeFormat {
  /// Whether the format counts in 64-bit integers, so that a fraction must lie between two.
  fileprivate var isCount: Bool {
    switch self {
    case .ticks, .nanoseconds, .samples, .frames, .songPosition, .midiClocks: true
    default: false
    }
  }
}
