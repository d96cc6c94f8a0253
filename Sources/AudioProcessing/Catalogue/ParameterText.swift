// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// Conversion between the values of parameters and text.
enum ParameterText {
  /// Reads a value in a parameter's measure.
  ///
  /// A number without a unit is in the unit of the measure: seconds, hertz, decibels, metres, cents
  /// or degrees. `%` divides by 100. `kHz` is accepted for `Hz`. Times can have every form that
  /// `TimeExpression` reads.
  ///
  /// - Parameters:
  ///   - text: the value, as written.
  ///   - measure: the parameter's measure.
  ///   - tempo: the tempo with which note values are converted to seconds.
  /// - Returns: the value, or nil if the text cannot be read.
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

  /// The length in quarter notes of a note value or a number of beats; nil for other times.
  static func quarterNotes(_ text: String) -> Double? {
    if case .beats(let quarters) = time(text.lowercased()) { quarters.approximation } else { nil }
  }

  private static func time(_ text: String) -> TimeExpression.Value? {
    do { return try TimeExpression(text, bareNumbersAs: .seconds).value } catch { return nil }
  }

  /// Reads a plain decimal number, with or without a unit after it.
  private static func number(_ text: String, before unit: String = "") -> Float? {
    let digits = text.hasSuffix(unit) ? text.dropLast(unit.count) : text[...]
    guard !digits.isEmpty, digits.allSatisfy({ "+-.0123456789".contains($0) }) else { return nil }
    return Float(digits)
  }

  /// A range as text, such as `0.2…60 s`.
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

  /// A number as text; a whole number is written without a decimal point.
  static func plain(_ value: Float) -> String {
    value == value.rounded() && value.magnitude < 1e7 ? "\(Int(value))" : "\(value)"
  }
}
