// SPDX-License-Identifier: Apache-2.0
import MusicalTime
import Testing

/// Vectors between positions: label, frame, sample, nanosecond, second, tick, beat, bar.
extension Vector {
  func timecode() throws -> Timecode {
    try TimecodeText(parsing: from.value.text).timecode(
      rate: frameRate, subframeBase: subframeBase)
  }

  func sample() throws -> SampleTime {
    SampleTime(frames: try from.value.integer())
  }

  func nanoseconds() throws -> MediaTime {
    MediaTime(nanoseconds: try from.value.integer())
  }

  func tick() throws -> Tick { Tick(try from.value.integer()) }

  func barBeat() throws -> BarBeat {
    let fields = try from.value.elements.map { try $0.integer() as Int64 }
    return BarBeat(
      bar: try #require(Int32(exactly: fields[0])), beat: try #require(UInt16(exactly: fields[1])),
      subbeat: try #require(UInt16(exactly: fields[2])),
      divisor: try #require(UInt16(exactly: fields[3])))
  }

  /// The exact media time of the source in seconds.
  func seconds() throws -> Ratio {
    switch from.format {
    case "seconds": try Ratio(parsing: from.value.text)
    case "smpte": try offset.seconds(of: timecode())
    case "samples": try sampleRate.seconds(of: sample())
    case "ticks": try tempoMap.seconds(at: tick())
    case "beats": try tempoMap.seconds(atQuarters: Ratio(parsing: from.value.text))
    case "bbt": try tempoMap.seconds(atQuarters: meterMap.quarters(at: barBeat()))
    default: throw TimeError.missingContext("a way from \(from.format)")
    }
  }

  /// The exact position of the source in quarter notes.
  func quarters() throws -> Ratio {
    switch from.format {
    case "beats": try Ratio(parsing: from.value.text)
    case "bbt": try meterMap.quarters(at: barBeat())
    case "ticks": try tempoMap.quarters(at: tick())
    default: try tempoMap.quarters(atSeconds: seconds())
    }
  }

  func positionAnswer() throws -> Answer {
    switch (from.format, to.format) {
    case ("smpte", "frames"): return Answer(try timecode().frames)
    case ("smpte", "smpte"): return try labelAnswer()
    case ("frames", "smpte"):
      let code = Timecode(frame: try from.value.integer(), rate: try frameRate)
      return try Answer(Converted(exactly: code), dayPolicy)
    case (_, "smpte"): return try Answer(timecodeAnswer(), dayPolicy)
    case (_, "seconds"): return Answer(try seconds())
    case (_, "beats"): return Answer(try quarters())
    case (_, "bbt"):
      return Answer(
        try meterMap.barBeat(at: quarters(), divisor: #require(divisor), rounding: rounding()))
    case ("samples", "ns"), ("ns", "samples"), ("smpte", "samples"), ("ticks", _):
      return Answer(try directAnswer())
    case ("bbt", "ticks"), ("beats", "ticks"):
      return Answer(try tempoMap.ticks(atQuarters: quarters()).rounded(rounding()))
    case (_, "ticks"):
      return Answer(try tempoMap.tick(atSeconds: seconds(), rounding: rounding()).map(\.value))
    case (_, "samples"):
      return Answer(try (seconds() * Ratio(Int64(sampleRate.hertz))).rounded(rounding()))
    case (_, "ns"):
      return Answer(try (seconds() * 1_000_000_000).rounded(rounding()))
    default: throw TimeError.missingContext("a way from \(from.format) to \(to.format)")
    }
  }

  private func timecodeAnswer() throws -> Converted<Timecode> {
    let (rate, base) = (try frameRate, subframeBase ?? 1)
    if from.format == "samples" {
      return try Timecode.at(
        sample(), sampleRate: sampleRate, rate: rate, subframeBase: base, rounding: rounding())
    }
    if from.format == "ns" {
      return try Timecode.at(
        nanoseconds(), rate: rate, subframeBase: base, rounding: rounding())
    }
    return try offset.timecode(atSeconds: seconds(), subframeBase: base, rounding: rounding())
  }

  private func labelAnswer() throws -> Answer {
    if let frames = context("add_frames") {
      let code = try timecode().advanced(byFrames: frames.integer())
      return try Answer(Converted(exactly: code), dayPolicy)
    }
    if let rate = context("to_smpte_rate") {
      let other = try FrameRate(parsing: rate.text)
      return try Answer(timecode().atEqualTime(rate: other, rounding: rounding()), dayPolicy)
    }
    let time = try MTCTime.at(timecode(), rounding: .floor)
    let members: [String: JSON] = [
      "label": .string(time.value.rate.text(of: time.value.label)),
      "smpte_rate": .string(time.value.rate.name),
      "mtc_code": .integer(Int64(time.value.code.rawValue)),
    ]
    return Answer(.object(members), exact: time.isExact)
  }

  /// Conversions that the library does in one integer step.
  private func directAnswer() throws -> Converted<Int64> {
    let mode = try rounding()
    switch (from.format, to.format) {
    case ("samples", "ns"):
      return try sampleRate.mediaTime(of: sample(), rounding: mode).map(\.nanoseconds)
    case ("ns", "samples"):
      return try sampleRate.sampleTime(at: nanoseconds(), rounding: mode).map(\.frames)
    case ("smpte", "samples"):
      return try timecode().sampleTime(rate: sampleRate, rounding: mode).map(\.frames)
    case ("ticks", "ns"):
      return try tempoMap.mediaTime(at: tick(), rounding: mode).map(\.nanoseconds)
    case ("ticks", "samples"):
      return try tempoMap.sampleTime(at: tick(), rate: sampleRate, rounding: mode).map(\.frames)
    default: throw TimeError.missingContext("a way from \(from.format) to \(to.format)")
    }
  }
}
