// SPDX-License-Identifier: Apache-2.0
import JSONText
import MusicalTime

extension VectorRequest {
  /// Answers about SMPTE labels, their rates and encodings.
  func labelAnswer() throws -> VectorAnswer {
    switch source {
    case "smpte": return try answer(of: try timecode())
    case "frames": return try framesAnswer()
    case "smpte_rate": return VectorAnswer(try FrameRate(parsing: try text).summary)
    case "smf_meta_54": return try offsetAnswer()
    default: return try divisionAnswer()
    }
  }

  private func timecode() throws -> Timecode {
    let base = try context.integer("subframe_base").flatMap { UInt16(exactly: $0) }
    let timecode = try TimecodeText(parsing: try text)
      .timecode(rate: try context.frameRate("smpte_rate"), subframeBase: base)
    return try timecode.advanced(byFrames: try context.integer("add_frames") ?? 0)
  }

  private func answer(of timecode: Timecode) throws -> VectorAnswer {
    switch target {
    case "error": return VectorAnswer(.null)
    case "frames": return VectorAnswer(timecode.frames)
    case "smpte" where context.has("add_frames"):
      return VectorAnswer(.text(try timecode.text(try context.dayPolicy())))
    case "smpte": return try otherRate(timecode)
    case "smf_meta_54":
      let offset = try SMPTEOffset.at(timecode, rounding: rounding ?? .exact)
      return VectorAnswer(
        .hexadecimal([0xFF, 0x54, 5] + offset.value.payload), isExact: offset.isExact)
    case "mtc_full_frame":
      let time = try MTCTime.at(timecode, rounding: rounding ?? .exact)
      return VectorAnswer(.hexadecimal(time.value.fullFrame()), isExact: time.isExact)
    case "mtc_quarter_frames":
      let time = try MTCTime.at(timecode, rounding: rounding ?? .exact)
      let bytes: [UInt8] = (0..<8).flatMap { piece -> [UInt8] in
        [0xF1, time.value.quarterFrame(piece)]
      }
      return VectorAnswer(.hexadecimal(bytes), isExact: time.isExact)
    default:
      let maps = try context.timeContext()
      let seconds = try maps.smpteOffset?.seconds(of: timecode) ?? timecode.seconds
      return try answer(.seconds(seconds), maps)
    }
  }

  /// The label of the same real time at another rate; without one, the label as MTC carries it.
  private func otherRate(_ timecode: Timecode) throws -> VectorAnswer {
    if let rate = try context.frameRate("to_smpte_rate") {
      let other = try timecode.atEqualTime(rate: rate, rounding: rounding ?? .exact)
      return VectorAnswer(
        .text(try other.value.text(try context.dayPolicy())), isExact: other.isExact)
    }
    let time = try MTCTime.at(timecode, rounding: rounding ?? .exact)
    let label = time.value.rate.text(of: time.value.label)
    return VectorAnswer(
      .object([
        ("label", .text(label)), ("smpte_rate", .text(time.value.rate.name)),
        ("mtc_code", .integer(Int(time.value.code.rawValue))),
      ]), isExact: time.isExact)
  }

  /// Frames are counted from 00:00:00:00, so an offset does not shift their labels.
  private func framesAnswer() throws -> VectorAnswer {
    let frames = try number()
    guard let rate = try context.frameRate("smpte_rate") else {
      throw TimeError.missingContext("a frame rate")
    }
    let seconds = try frames / rate.framesPerSecond
    guard target == "smpte" || target == "seconds" else {
      let maps = try context.timeContext()
      return try answer(.seconds(try seconds - (maps.smpteOffset?.seconds ?? 0)), maps)
    }
    guard target == "smpte" else { return VectorAnswer(seconds) }
    let base = try context.integer("subframe_base").flatMap { UInt16(exactly: $0) } ?? 1
    let timecode = try Timecode.at(
      seconds: seconds, rate: rate, subframeBase: base, rounding: rounding ?? .exact)
    return VectorAnswer(
      .text(try timecode.value.text(try context.dayPolicy())), isExact: timecode.isExact)
  }

  private func offsetAnswer() throws -> VectorAnswer {
    let bytes = try JSONValue.bytes(hexadecimal: try text)
    guard bytes.starts(with: [0xFF, 0x54, 5]) else { throw bad("value") }
    let timecode = try SMPTEOffset(payload: Array(bytes.dropFirst(3))).timecode
    guard target == "smpte" else { return try answer(of: timecode) }
    return VectorAnswer(
      .object([
        ("label", .text(try timecode.text(.wrap))), ("smpte_rate", .text(timecode.rate.name)),
        ("subframe_base", 100), ("seconds", .text("\(timecode.seconds)")),
      ]))
  }

  private func divisionAnswer() throws -> VectorAnswer {
    switch try Division(smfBits: try VectorContext.sixteenBits(try text)) {
    case .ppqn(let resolution):
      return VectorAnswer(
        .object([
          ("kind", "ppq"), ("ticks_per_quarter", .integer(Int(resolution.ticks))),
        ]))
    case .smpte(let rate, let ticks):
      let perSecond = try rate.framesPerSecond * Ratio(Int64(ticks))
      return VectorAnswer(
        .object([
          ("kind", "smpte"), ("smpte_rate", .text(rate.name)),
          ("ticks_per_frame", .integer(Int(ticks))), ("ticks_per_second", .text("\(perSecond)")),
          ("seconds_per_tick", .text("\(try perSecond.inverted())")),
        ]))
    }
  }
}

extension FrameRate {
  /// The rate's constants by their names in the machine form.
  fileprivate var summary: JSONValue {
    get throws(TimeError) {
      let perHour = framesPerTenMinutes * 6
      let last = Timecode(frame: framesPerDay - 1, rate: self)
      return .object([
        ("fps", .text("\(framesPerSecond)")),
        ("frame_seconds", .text("\(try framesPerSecond.inverted())")),
        ("nominal", .integer(Int(nominal))),
        ("dropped_labels_per_minute", .integer(Int(droppedLabels))),
        ("frames_per_10min", .integer(Int(framesPerTenMinutes))),
        ("frames_per_label_hour", .integer(Int(perHour))),
        ("frames_per_label_day", .integer(Int(framesPerDay))),
        ("seconds_per_label_hour", .text("\(try Ratio(perHour) / framesPerSecond)")),
        ("seconds_per_label_day", .text("\(try Ratio(framesPerDay) / framesPerSecond)")),
        ("max_label", .text(try last.text(.wrap))),
        ("mtc_code", .integer(Int(mtcCode.rawValue))),
        ("mtc_frame_divisor", .integer(Int(mtcFrameDivisor))),
        ("core_audio_smpte_type", coreAudioType.map { .integer(Int($0)) } ?? .null),
        ("smf_division_high_byte", smfDivisionByte.map { .integer(Int($0)) } ?? .null),
      ])
    }
  }
}

extension JSONValue {
  /// Bytes as two hexadecimal digits each, with spaces between.
  static func hexadecimal(_ bytes: [UInt8]) -> JSONValue {
    let pairs = bytes.map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return digits.count < 2 ? "0" + digits : digits
    }
    return .text(pairs.joined(separator: " "))
  }

  /// Bytes from pairs of hexadecimal digits, with spaces between.
  static func bytes(hexadecimal text: String) throws(VectorError) -> [UInt8] {
    var bytes: [UInt8] = []
    for pair in text.split(separator: " ") {
      guard pair.utf8.count == 2, let byte = UInt8(pair, radix: 16) else {
        throw VectorError(description: "\(text) is no row of bytes")
      }
      bytes.append(byte)
    }
    return bytes
  }
}
