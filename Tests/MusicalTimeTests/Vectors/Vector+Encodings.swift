// SPDX-License-Identifier: Apache-2.0
import MusicalTime
import Testing

/// Vectors of rates, file and wire encodings, tempo units, anchors and ramps.
extension Vector {
  func bytes() throws -> [UInt8] {
    try from.value.text.split(separator: " ").map { try #require(UInt8($0, radix: 16)) }
  }

  func rateAnswer() throws -> Answer {
    let rate = try FrameRate(parsing: from.value.text)
    let last = Timecode(frame: rate.framesPerDay - 1, rate: rate)
    let hour = Timecode(frame: rate.framesPerDay / 24, rate: rate)
    let members: [String: JSON] = [
      "fps": .string("\(rate.framesPerSecond)"),
      "frame_seconds": .string("\(try rate.framesPerSecond.inverted())"),
      "nominal": .integer(Int64(rate.nominal)),
      "dropped_labels_per_minute": .integer(rate.droppedLabels),
      "frames_per_10min": .integer(rate.framesPerTenMinutes),
      "frames_per_label_hour": .integer(rate.framesPerDay / 24),
      "frames_per_label_day": .integer(rate.framesPerDay),
      "seconds_per_label_hour": .string("\(hour.seconds)"),
      "seconds_per_label_day": .string("\(try hour.seconds * 24)"),
      "max_label": .string(rate.text(of: try last.label(.signed))),
      "mtc_code": .integer(Int64(rate.mtcCode.rawValue)),
      "mtc_frame_divisor": .integer(rate.mtcFrameDivisor),
      "core_audio_smpte_type": rate.coreAudioType.map { .integer(Int64($0)) } ?? .null,
      "smf_division_high_byte": rate.smfDivisionByte.map { .integer(Int64($0)) } ?? .null,
    ]
    return Answer(.object(members))
  }

  func divisionAnswer() throws -> Answer {
    let division = try Self.division(from.value.text)
    #expect(division.smfBits == UInt16(from.value.text.dropFirst(2), radix: 16))
    switch division {
    case .ppqn(let resolution):
      return Answer(
        .object([
          "kind": .string("ppq"), "ticks_per_quarter": .integer(Int64(resolution.ticks)),
        ]))
    case .smpte(let rate, let ticks):
      let perSecond = try #require(division.ticksPerSecond)
      return Answer(
        .object([
          "kind": .string("smpte"), "smpte_rate": .string(rate.name),
          "ticks_per_frame": .integer(Int64(ticks)),
          "ticks_per_second": .string("\(perSecond)"),
          "seconds_per_tick": .string("\(try perSecond.inverted())"),
        ]))
    }
  }

  func offsetAnswer() throws -> Answer {
    if from.format == "smpte" {
      let offset = try SMPTEOffset.at(timecode(), rounding: rounding())
      return Answer(bytes: [0xFF, 0x54, 0x05] + offset.value.payload, exact: offset.isExact)
    }
    let offset = try SMPTEOffset(payload: Array(bytes().dropFirst(3)))
    let code = offset.timecode
    return Answer(
      .object([
        "label": .string(code.description), "smpte_rate": .string(code.rate.name),
        "subframe_base": .integer(100), "seconds": .string("\(code.seconds)"),
      ]))
  }

  func mtcAnswer() throws -> Answer {
    let time = try MTCTime.at(timecode(), rounding: rounding()).value
    if to.format == "mtc_full_frame" {
      #expect(try MTCTime(fullFrame: time.fullFrame()) == time)
      return Answer(bytes: time.fullFrame())
    }
    let pieces = (0..<8).map(time.quarterFrame)
    #expect(try MTCTime(quarterFrames: pieces) == time)
    return Answer(bytes: pieces.flatMap { [0xF1, $0] })
  }

  func tempoAnswer() throws -> Answer {
    let value = try Ratio(parsing: from.value.text)
    let target = context("target")?.text ?? to.format
    switch (from.format, target) {
    case ("us_per_quarter", "bpm"), ("bpm", "us_per_quarter"):
      return Answer(try Ratio(60_000_000) / value)
    case ("bpm", "ump_set_tempo_10ns"):
      let tempo = try Tempo.beatsPerMinute(value, rounding: rounding())
      return Answer(tempo.map { Int64($0.tenNanosecondsPerQuarter) })
    default:
      let tempo = try SetTempo.beatsPerMinute(value, rounding: rounding(otherwise: .nearest))
      return Answer(bytes: [0xFF, 0x51, 0x03] + tempo.value.payload, exact: tempo.isExact)
    }
  }

  func anchorAnswer() throws -> Answer {
    let anchor = try required("anchor")
    let host: Int64 = try anchor.member("host_ns").integer()
    let sample: Int64 = try anchor.member("sample").integer()
    let relation = try SampleAnchor(
      host: HostTime(nanoseconds: host), sample: SampleTime(frames: sample), rate: sampleRate,
      rateScalar: Ratio(parsing: required("rate_scalar").text))
    let time = HostTime(nanoseconds: try from.value.integer())
    guard rounding != nil else { return Answer(try relation.samples(at: time)) }
    return Answer(try relation.sampleTime(at: time, rounding: rounding()).map(\.frames))
  }

  func scaledAnswer() throws -> Answer {
    let value: Int64 = try from.value.element(0).integer()
    let scale: Int32 = try from.value.element(1).integer()
    let time = try #require(ScaledTime(value: value, timescale: scale))
    let name = try required("method").text
    let method = try #require(ScaledTime.Method(rawValue: name))
    let target: Int32 = try required("timescale").integer()
    let answer = try time.converted(toTimescale: target, method: method)
    return Answer(
      .array([.integer(answer.value.value), .integer(Int64(answer.value.timescale))]),
      exact: answer.isExact)
  }

  func rampValue() throws -> TempoRamp.Value {
    let ramp = try required("ramp")
    func member(_ key: String) throws -> Ratio { try Ratio(parsing: ramp.member(key).text) }
    let name = try required("shape").text
    let shape = try #require(RampShape(rawValue: name))
    let curve = try TempoRamp(
      from: member("from_bpm"), to: member("to_bpm"), quarters: member("quarters"), shape: shape)
    // The reference's 40 digits are cut to what 128 bits hold.
    let position = try Ratio(parsing: String(from.value.text.prefix(36)))
    return from.format == "beats"
      ? try curve.seconds(atQuarters: position) : try curve.quarters(atSeconds: position)
  }
}
