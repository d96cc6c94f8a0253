// SPDX-License-Identifier: Apache-2.0

extension Parameter {
  /// The values it can take, as a person reads them: `0.2…60 s`, `off or on`.
  public var rangeText: String { ParameterText.range(self) }

  /// A value with its unit, as a text for an effect may have it: `2 s` is written `2s` there.
  public func text(of value: Float) -> String {
    switch measure {
    case .toggle: value >= 0.5 ? "on" : "off"
    case .factor, .position, .number: ParameterText.plain(value)
    default: "\(ParameterText.plain(value)) \(measure.rawValue)"
    }
  }
}
