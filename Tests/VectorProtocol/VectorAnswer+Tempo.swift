// SPDX-License-Identifier: Apache-2.0
import JSONText
import MusicalTime

extension VectorRequest {
  /// Answers about tempi and their encodings, and about the sums in a tempo map.
  func tempoAnswer() throws -> VectorAnswer {
    if source == "tempo_map_prefix" { return try prefixAnswer() }
    let given = try number()
    guard given > 0 else { throw TimeError.badTempo("\(given)") }
    let microseconds = source == "bpm" ? try 60_000_000 / given : given
    switch target == "error" ? try encodingTarget() : target {
    case "bpm": return VectorAnswer(try 60_000_000 / microseconds)
    case "us_per_quarter": return VectorAnswer(microseconds)
    case "ump_set_tempo_10ns":
      let length = try (microseconds * 100).rounded(rounding ?? .nearest, unit: "tempi")
      guard (1...Int64(UInt32.max)).contains(length.value) else {
        throw TimeError.badTempo("\(microseconds) us/q")
      }
      return VectorAnswer(.text("\(length.value)"), isExact: length.isExact)
    case "smf_meta_51": return try metaAnswer(microseconds)
    default: throw unknownPair
    }
  }

  private func encodingTarget() throws -> String {
    context.members["target"]?.string ?? "us_per_quarter"
  }

  /// A Set Tempo event holds whole microseconds in 24 bits.
  private func metaAnswer(_ microseconds: Ratio) throws -> VectorAnswer {
    let length = try microseconds.rounded(rounding ?? .nearest, unit: "microseconds")
    guard (1...0xFF_FFFF).contains(length.value) else {
      throw TimeError.outside24BitField("\(microseconds) us/q")
    }
    let bytes = [16, 8, 0].map { UInt8(truncatingIfNeeded: length.value >> Int64($0)) }
    return VectorAnswer(.hexadecimal([0xFF, 0x51, 3] + bytes), isExact: length.isExact)
  }

  /// The running total at a change: microseconds times ticks, an integer.
  private func prefixAnswer() throws -> VectorAnswer {
    let map = try context.tempoMap()
    let changes = map.changes
    let index = try integer()
    guard target == "us_ticks", case .ppqn(let resolution) = map.division else { throw unknownPair }
    guard changes.indices.contains(Int(clamping: index)) else {
      throw TimeError.fieldOutOfRange(
        field: "change", value: "\(index)", range: "0…\(changes.count - 1)")
    }
    let seconds = map.seconds(at: changes[Int(index)].tick)
    return VectorAnswer(try seconds * Ratio(Int64(resolution.ticks) * 1_000_000))
  }
}

extension VectorRequest {
  /// A time or a position inside a tempo ramp.
  func rampAnswer() throws -> VectorAnswer {
    let ramp = try tempoRamp()
    let value =
      switch (source, target) {
      case ("beats", "seconds"): try ramp.seconds(atQuarters: try shortNumber())
      case ("seconds", "beats"): try ramp.quarters(atSeconds: try shortNumber())
      default: throw unknownPair
      }
    switch value {
    case .exact(let number): return VectorAnswer(number)
    case .approximate(let number): return VectorAnswer(.text("\(number)"), isExact: false)
    }
  }

  private func tempoRamp() throws -> TempoRamp {
    guard let ramp = context.members["ramp"],
      let name = context.members["shape"]?.string, let shape = RampShape(rawValue: name)
    else { throw context.bad("ramp") }
    func number(_ name: String) throws -> Ratio {
      guard let value = ramp[name] else { throw context.bad("ramp") }
      return try context.ratio(value)
    }
    return try TempoRamp(
      from: try number("from_bpm"), to: try number("to_bpm"), quarters: try number("quarters"),
      shape: shape)
  }

  /// The value without the decimals past the twelfth, which no double would keep.
  private func shortNumber() throws -> Ratio {
    let text = try text
    guard let point = text.firstIndex(of: ".") else { return try Ratio(parsing: text) }
    return try Ratio(parsing: String(text[...point] + text[point...].dropFirst().prefix(12)))
  }
}

extension VectorRequest {
  /// A count over a timescale, by one of the six methods of Core Media.
  func scaledAnswer() throws -> VectorAnswer {
    let fields = value.elements?.compactMap(\.wholeNumber) ?? []
    guard fields.count == 2, let scale = Int32(exactly: fields[1]),
      let time = ScaledTime(value: fields[0], timescale: scale)
    else { throw bad("value") }
    let name = context.members["method"]?.string ?? roundingName
    guard let method = ScaledTime.Method(rawValue: name) else { throw context.bad("method") }
    guard let target = try context.integer("timescale").flatMap({ Int32(exactly: $0) }) else {
      throw context.bad("timescale")
    }
    let converted = try time.converted(toTimescale: target, method: method)
    return VectorAnswer(
      .array([
        .integer(Int(converted.value.value)), .integer(Int(converted.value.timescale)),
      ]), isExact: converted.isExact)
  }
}
