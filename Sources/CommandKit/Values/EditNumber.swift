// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
package import MusicSequences
package import MusicalTime
internal import PlayerControl

/// Reads numbers in the commands of `edit`, exactly.
package enum EditNumber {
  /// Reads a factor or a fraction: `2`, `3/2`, `0.75`, `80%`.
  package static func ratio(_ text: String) throws -> Ratio {
    do {
      guard text.hasSuffix("%") else { return try Ratio(parsing: text) }
      return try Ratio(parsing: String(text.dropLast())) * Ratio(1, over: 100)
    } catch {
      throw ValidationError("'\(text)' is not a number (try 2, 3/2, 0.75 or 80%)")
    }
  }

  /// Reads a whole number for velocities.
  ///
  /// - Parameters:
  ///   - text: The number.
  ///   - range: The allowed numbers.
  ///   - fault: The message of the error.
  /// - Returns: The number.
  /// - Throws: `ValidationError` if the text is not an allowed number.
  package static func offset(
    _ text: some StringProtocol, in range: ClosedRange<Int64>, or fault: String
  ) throws -> Int64 {
    guard let number = Int64(text), range.contains(number) else { throw ValidationError(fault) }
    return number
  }

  /// Reports that a tempo was rounded to one that a file can store.
  package static func tell(_ text: String, _ tempo: Tempo) {
    let length = tempo.microsecondsPerQuarter
    Terminal.report(
      "tempo \(text): rounded to whole microseconds: \(length) µs per quarter note, "
        + "\(tempo.beatsPerMinute.decimal(6)) bpm")
  }

  /// Reads a tempo, rounded to one that a file can store; rounding is reported.
  package static func tempo(_ text: String) throws -> Tempo {
    let held = try heldTempo(text)
    if !held.isExact { tell(text, held.value) }
    return held.value
  }

  /// Reads a tempo: `120bpm`, `500000us/q`, or a number of beats per minute, rounded to whole
  /// microseconds per quarter note.
  package static func heldTempo(_ text: String) throws -> Converted<Tempo> {
    let isBare = text.allSatisfy { $0.isNumber || $0 == "." || $0 == "/" }
    do {
      let expression = try TimeExpression(isBare ? text + "bpm" : text)
      guard case .tempo(let microseconds) = expression.value else {
        throw ValidationError("'\(text)' is not a tempo (try 120bpm)")
      }
      let held = try microseconds.rounded(.nearest)
      let length = held.value
      guard let tempo = Tempo(microsecondsPerQuarter: Int(clamping: length)),
        MetaEvent.tempo(tempo) != nil
      else {
        throw ValidationError("tempo '\(text)': must be 3.58…60000000 beats per minute")
      }
      return held.map { _ in tempo }
    } catch let error as TimeError {
      if case .badTempo = error { throw ValidationError("\(error)") }
      throw ValidationError("'\(text)' is not a tempo (try 120bpm)")
    }
  }
}

extension VelocityCurve {
  /// Reads a change of velocities: `90%`, `+10`, `=100`, `50%..100%`, `0:20,64:50,127:110`.
  package init(parsing text: String) throws {
    if text.contains(":") {
      self = .points(try text.split(separator: ",").map(Self.point))
    } else if let dots = text.firstRange(of: "..") {
      self = .ramp(
        from: try EditNumber.ratio(String(text[..<dots.lowerBound])),
        to: try EditNumber.ratio(String(text[dots.upperBound...])))
    } else if text.hasPrefix("=") {
      let fault = "velocity '\(text)': not a velocity (=1…=127 sets it, 50% scales it, +10 adds)"
      self = .constant(UInt8(try EditNumber.offset(text.dropFirst(), in: 1...127, or: fault)))
    } else if text.hasPrefix("+") || text.hasPrefix("-") {
      let fault = "velocity '\(text)': not a change (+1…+127 or -1…-127 adds, 50% scales it)"
      self = .scaled(by: 1, plus: try EditNumber.offset(text, in: -127...127, or: fault))
    } else if Int(text) != nil {
      // A factor of 50 would make every note as loud as possible.
      throw ValidationError(
        "velocity '\(text)': ambiguous (=\(text) sets it, \(text)% scales it, +\(text) adds)")
    } else {
      self = .scaled(by: try EditNumber.ratio(text))
    }
  }

  private static func point(_ text: Substring) throws -> Point {
    let fields = text.split(separator: ":", omittingEmptySubsequences: false)
    guard fields.count == 2 else {
      throw ValidationError("point '\(text)': not IN:OUT (try 64:50)")
    }
    let fault = "point '\(text)': not two velocities (IN:OUT, each 0…127, as 64:50)"
    let numbers = try fields.map { UInt8(try EditNumber.offset($0, in: 0...127, or: fault)) }
    return Point(numbers[0], numbers[1])
  }
}
