// SPDX-License-Identifier: Apache-2.0

extension Parameter {
  /// The range as text, such as `0.2…60 s` or `off or on`.
  public var rangeText: String { ParameterText.range(self) }

  /// Returns a value with its unit, such as `2 s`.
  ///
  /// In the text of an effect, write it without the space: `2s`.
  public func text(of value: Float) -> String {
    switch measure {
    case .toggle: value >= 0.5 ? "on" : "off"
    case .factor, .position, .number: ParameterText.plain(value)
    default: "\(ParameterText.plain(value)) \(measure.rawValue)"
    }
  }
}
