// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The values of a parameter as a person writes them.
enum ParameterText {
  /// Reads a value in a parameter's measure.
  ///
  /// A bare number is in the measure's own unit, seconds, hertz, decibels, metres. `%` divides by a
  /// hundred, `k` in front of `Hz` multiplies by a thousand, and times are written as everywhere.
  ///
  /// - Parameters:
  ///   - text: the value, as it was written.
  ///   - measure: the parameter's.
  ///   - tempo: what turns notes into seconds.
  /// - Returns: the value; nil where the text is none.
  static func value(_ text: String, _ measure: Parameter.Measure, tempo: Tempo) -> Float? {
    let text = text.lowercased()
    switch measure {
    case .seconds: return seconds(text, tempo).map(Float.init)
    case .decibels: return number(text, before: "db")
    case .hertz:
      let isThousands = text.hasSuffix("khz")
      return number(text, before: isThousands ? "khz" : "hz").map { isThousands ? $0 * 1000 : $0 }
    case .metres: return number(text, before: "m")
    case .cents: return number(text, before: "cents")
    case .degrees: return number(text, before: "°")
    case .toggle: return ["on": 1, "yes": 1, "off": 0, "no": 0][text] ?? number(text)
    case .factor, .position:
      let isHundredths = text.hasSuffix("%")
      return number(text, before: "%").map { isHundredths ? $0 / 100 : $0 }
    case .number: return number(text)
    }
  }

  private static func seconds(_ text: String, _ tempo: Tempo) -> Double? {
    switch time(text) {
    case .seconds(let seconds): seconds.approximation
    case .beats(let quarters):
      quarters.approximation * Double(tempo.tenNanosecondsPerQuarter) / 1e8
    default: nil
    }
  }

  /// The quarter notes of a note value or a number of beats; nil for any other time.
  static func quarterNotes(_ text: String) -> Double? {
    if case .beats(let quarters) = time(text.lowercased()) { quarters.approximation } else { nil }
  }

  private static func time(_ text: String) -> TimeExpression.Value? {
    do { return try TimeExpression(text, bareNumbersAs: .seconds).value } catch { return nil }
  }

  /// A plain decimal number, with or without what stands behind it.
  private static func number(_ text: String, before unit: String = "") -> Float? {
    let digits = text.hasSuffix(unit) ? text.dropLast(unit.count) : text[...]
    guard !digits.isEmpty, digits.allSatisfy({ "+-.0123456789".contains($0) }) else { return nil }
    return Float(digits)
  }

  /// A range as a person reads it: `0.2…60 s`.
  static func range(_ parameter: Parameter) -> String {
    switch parameter.measure {
    case .toggle: "off or on"
    case .factor, .position, .number: plain(parameter.range)
    default: "\(plain(parameter.range)) \(parameter.measure.rawValue)"
    }
  }

  private static func plain(_ range: ClosedRange<Float>) -> String {
    "\(plain(range.lowerBound))…\(plain(range.upperBound))"
  }

  /// A number without a fraction of nothing.
  static func plain(_ value: Float) -> String {
    value == value.rounded() && value.magnitude < 1e7 ? "\(Int(value))" : "\(value)"
  }
}
