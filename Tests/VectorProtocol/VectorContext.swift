// SPDX-License-Identifier: Apache-2.0
import JSONText
import MusicalTime

/// The context of a request, by its names in the machine form.
struct VectorContext {
  let members: JSONValue

  func has(_ name: String) -> Bool { members[name] != nil }

  /// The maps and rates that the context gives.
  func timeContext() throws -> TimeContext {
    var context = TimeContext(tempoMap: try tempoMap(), meterMap: try meterMap(nil))
    context.sampleRate = try sampleRate()
    context.frameRate = try frameRate("smpte_rate")
    context.subbeatDivisor = try small("subbeat_divisor") ?? 480
    context.subframeBase = try small("subframe_base") ?? 1
    context.dayPolicy = try dayPolicy()
    context.smpteOffset = try smpteOffset()
    context.anchor = try anchor()
    return context
  }

  /// The meters: of the context, or those that a request gives as its value.
  func meterMap(_ value: JSONValue?) throws -> MeterMap {
    let rows = try (value ?? members["meter_map"]).map { try table($0, width: 3) } ?? []
    let changes = try rows.map { row in
      guard let numerator = row[1].wholeNumber, let denominator = row[2].wholeNumber else {
        throw VectorError(description: "a row of a meter map is [quarters, beats, note]")
      }
      return MeterChange(
        position: try ratio(row[0]),
        signature: try TimeSignature(
          numerator: Int(clamping: numerator), denominator: Int(clamping: denominator)))
    }
    return try MeterMap(
      changes: changes, barOneAt: try ratio("bar_one_at") ?? 0, policy: try midBarPolicy())
  }

  /// The tempi, and what a tick is.
  func tempoMap() throws -> TempoMap {
    if let generator = members["tempo_map_generator"] { return try generated(generator) }
    return try TempoMap(division: try division(), changes: try tempoChanges())
  }

  func frameRate(_ name: String) throws -> FrameRate? {
    guard let text = members[name]?.scalarText else { return nil }
    return try FrameRate(parsing: text)
  }

  func ratio(_ name: String) throws -> Ratio? { try members[name].map(ratio) }

  func integer(_ name: String) throws -> Int64? {
    guard let value = members[name] else { return nil }
    guard let integer = value.wholeNumber else { throw bad(name) }
    return integer
  }

  func dayPolicy() throws -> DayPolicy {
    guard let name = members["wrap"]?.string else { return .days }
    guard let policy = DayPolicy(rawValue: name) else { throw bad("wrap") }
    return policy
  }

  func ratio(_ value: JSONValue) throws -> Ratio {
    guard let text = value.scalarText else { throw bad("a number") }
    return try Ratio(parsing: text)
  }

  func bad(_ name: String) -> VectorError {
    VectorError(description: "\(name) of the context has no meaning")
  }
}

extension VectorContext {
  private func small(_ name: String) throws -> UInt16? {
    guard let value = try integer(name) else { return nil }
    guard let small = UInt16(exactly: value), small > 0 else {
      throw TimeError.fieldOutOfRange(field: name, value: "\(value)", range: "1…65535")
    }
    return small
  }

  private func sampleRate() throws -> SampleRate? {
    guard let hertz = try integer("sample_rate") else { return nil }
    guard let rate = SampleRate(hertz: Int(hertz)) else {
      throw TimeError.fieldOutOfRange(
        field: "sample rate", value: "\(hertz)", range: "1…4000000 Hz")
    }
    return rate
  }

  private func smpteOffset() throws -> Timecode? {
    guard let text = members["smpte_offset"]?.string else { return nil }
    return try TimecodeText(parsing: text)
      .timecode(rate: try frameRate("smpte_rate"), subframeBase: try small("subframe_base"))
  }

  private func anchor() throws -> HostAnchor? {
    guard let anchor = members["anchor"] else { return nil }
    guard let host = anchor["host_ns"]?.wholeNumber, let sample = anchor["sample"]?.wholeNumber,
      let rate = try sampleRate()
    else { throw bad("anchor") }
    return try HostAnchor(
      SampleAnchor(
        host: HostTime(nanoseconds: host), sample: SampleTime(frames: sample), rate: rate,
        rateScalar: try ratio("rate_scalar") ?? 1))
  }

  private func midBarPolicy() throws -> MidBarPolicy {
    guard let name = members["mid_bar_policy"]?.string else { return .truncate }
    guard let policy = MidBarPolicy(rawValue: name) else { throw bad("mid_bar_policy") }
    return policy
  }

  private func division() throws -> Division {
    if let text = members["smf_division"]?.scalarText {
      return try Division(smfBits: try Self.sixteenBits(text))
    }
    let ticks = try integer("ppq") ?? 480
    guard let resolution = PPQN(Int(ticks)) else {
      throw TimeError.fieldOutOfRange(field: "ppq", value: "\(ticks)", range: "1…32767")
    }
    return .ppqn(resolution)
  }

  /// A number below 2¹⁶, in hexadecimal behind `0x`.
  static func sixteenBits(_ text: String) throws -> UInt16 {
    let isHexadecimal = text.hasPrefix("0x")
    let digits = isHexadecimal ? text.dropFirst(2) : text[...]
    guard let bits = UInt16(digits, radix: isHexadecimal ? 16 : 10) else {
      throw VectorError(description: "\(text) is no number of 16 bits")
    }
    return bits
  }

  private func tempoChanges() throws -> [TempoChange] {
    if let tempo = try ratio("tempo_us_per_quarter") {
      return [TempoChange(tick: 0, tempo: try Self.tempo(tempo))]
    }
    return try (members["tempo_map"].map { try table($0, width: 2) } ?? []).map { row in
      guard let tick = row[0].wholeNumber else { throw bad("tempo_map") }
      return TempoChange(tick: Tick(tick), tempo: try Self.tempo(try ratio(row[1])))
    }
  }

  /// A tempo from microseconds per quarter note.
  static func tempo(_ microseconds: Ratio) throws -> Tempo {
    let length = try (microseconds * 100).rounded(.exact, unit: "tempi").value
    guard let narrow = UInt32(exactly: length),
      let tempo = Tempo(tenNanosecondsPerQuarter: narrow)
    else { throw TimeError.badTempo("\(microseconds) us/q") }
    return tempo
  }

  /// A long map by a formula: change k is at tick k · step, base + k · mul mod mod µs long.
  private func generated(_ generator: JSONValue) throws -> TempoMap {
    func number(_ name: String) throws -> Int64 {
      guard let number = generator[name]?.wholeNumber else { throw bad(name) }
      return number
    }
    let (step, base) = (try number("tick_step"), try number("us_base"))
    let (factor, modulus) = (try number("us_mul"), try number("us_mod"))
    let count = try number("count")
    guard let resolution = PPQN(Int(try number("ppq"))), (1...1_000_000).contains(count),
      (1...1 << 31).contains(modulus), (0...1 << 31).contains(factor),
      (0...1 << 31).contains(step), (0...1 << 31).contains(base)
    else { throw bad("tempo_map_generator") }
    let changes = try (0..<count).map { index in
      TempoChange(
        tick: Tick(index * step),
        tempo: try Self.tempo(Ratio(base + index * factor % modulus)))
    }
    return try TempoMap(division: .ppqn(resolution), changes: changes)
  }

  private func table(_ value: JSONValue, width: Int) throws -> [[JSONValue]] {
    guard let rows = value.elements else { throw bad("a map") }
    return try rows.map { row in
      guard let elements = row.elements, elements.count == width else { throw bad("a map") }
      return elements
    }
  }
}
