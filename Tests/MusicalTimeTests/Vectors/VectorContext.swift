// SPDX-License-Identifier: Apache-2.0
import MusicalTime
import Testing

/// The context of a vector as values of the library.
extension Vector {
  func rounding(otherwise mode: Rounding = .exact) throws -> Rounding {
    guard let rounding else { return mode }
    return try #require(Rounding(rawValue: rounding), "\(id)")
  }

  var frameRate: FrameRate {
    get throws { try FrameRate(parsing: required("smpte_rate").text) }
  }

  var subframeBase: UInt16? { context("subframe_base").flatMap { UInt16($0.text) } }

  var dayPolicy: DayPolicy {
    get throws {
      guard let wrap = context("wrap") else { return .signed }
      return try #require(DayPolicy(rawValue: wrap.text))
    }
  }

  var divisor: UInt16? { context("subbeat_divisor").flatMap { UInt16($0.text) } }

  var sampleRate: SampleRate {
    get throws {
      let hertz: Int = try required("sample_rate").integer()
      return try #require(SampleRate(hertz: hertz))
    }
  }

  /// The label at time 0; 00:00:00:00 where none is given.
  var offset: Timecode {
    get throws {
      guard let text = context("smpte_offset") else {
        return Timecode(frame: 0, rate: try frameRate)
      }
      return try TimecodeText(parsing: text.text).timecode(rate: frameRate, subframeBase: 1)
    }
  }

  var tempoMap: TempoMap {
    get throws {
      if let generator = context("tempo_map_generator") { return try Self.map(generator) }
      if let bits = context("smf_division") {
        return try TempoMap(division: Self.division(bits.text), changes: constantTempo)
      }
      let ticks: Int = try required("ppq").integer()
      let ppqn = try #require(PPQN(ticks))
      let changes = try required("tempo_map").elements.map { try Self.change($0) }
      return try TempoMap(division: .ppqn(ppqn), changes: changes)
    }
  }

  var meterMap: MeterMap {
    get throws {
      let meters = try required("meter_map")
      let policy = context("mid_bar_policy").flatMap { MidBarPolicy(rawValue: $0.text) }
      return try MeterMap(
        changes: Self.meters(meters),
        barOneAt: Ratio(parsing: context("bar_one_at")?.text ?? "0"),
        policy: policy ?? .truncate)
    }
  }

  private var constantTempo: [TempoChange] {
    get throws {
      guard let tempo = context("tempo_us_per_quarter") else { return [] }
      return [try Self.change(.array([.integer(0), tempo]))]
    }
  }

  static func division(_ text: String) throws -> Division {
    try Division(smfBits: #require(UInt16(text.dropFirst(2), radix: 16)))
  }

  static func meters(_ list: JSON) throws -> [MeterChange] {
    try list.elements.map { meter in
      MeterChange(
        position: try Ratio(parsing: meter.element(0).text),
        signature: try TimeSignature(
          numerator: meter.element(1).integer(), denominator: meter.element(2).integer()))
    }
  }

  private static func change(_ pair: JSON) throws -> TempoChange {
    try TempoMapTests.change(pair.element(0).integer(), pair.element(1).integer())
  }

  /// The long map that the reference describes by a formula.
  private static func map(_ generator: JSON) throws -> TempoMap {
    func value(_ key: String) throws -> Int { try generator.member(key).integer() }
    let (step, base) = (try value("tick_step"), try value("us_base"))
    let (factor, modulus) = (try value("us_mul"), try value("us_mod"))
    let changes = try (0..<value("count")).map { index in
      try TempoMapTests.change(Int64(index * step), base + index * factor % modulus)
    }
    let ticks = try value("ppq")
    return try TempoMap(division: .ppqn(#require(PPQN(ticks))), changes: changes)
  }
}
