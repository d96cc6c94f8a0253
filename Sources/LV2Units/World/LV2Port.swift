// SPDX-License-Identifier: Apache-2.0
public import AudioProcessing

/// A port of a plug-in.
public struct LV2Port: Hashable, Sendable {
  /// The kind of data that a port carries.
  public enum Kind: Hashable, Sendable {
    /// Audio samples.
    case audio
    /// A control value.
    case control
    /// Events, such as MIDI messages and song positions.
    case events
    /// Another type of data, given by the URI of the type.
    case other(String)
  }

  /// A value of a control that has a label, such as `Low` or `Saw`.
  public struct ScalePoint: Hashable, Sendable {
    /// The label to display.
    public let label: String
    /// The value that has the label.
    public let value: Float
  }

  /// The most ports of a plug-in.
  static let limit = 8192

  /// The port's index, from 0.
  public let index: Int
  /// An identifier, unique within the plug-in and unchanged between versions.
  public let symbol: String
  /// The display name.
  public let name: String
  /// True for an input.
  public let isInput: Bool
  /// The kind of data.
  public let kind: Kind
  /// True if the port does not have to be connected.
  public let isOptional: Bool
  /// True if the port receives or sends MIDI messages.
  public let takesMIDI: Bool
  /// True if the port receives or sends song positions.
  public let takesPosition: Bool
  /// True if the port outputs the plug-in's latency in frames.
  public let reportsLatency: Bool
  /// The symbol of the unit of measurement, such as `dB`, `ms` or `%`; nil if unknown.
  public let unit: String?
  /// The permitted values; if `isTimesRate`, multiply them by the sample rate.
  public let range: ClosedRange<Float>
  /// The default value of the port; if `isTimesRate`, multiply it by the sample rate.
  public let initialValue: Float
  /// True if the range and the initial value must be multiplied by the sample rate.
  public let isTimesRate: Bool
  /// True if the values are integers.
  public let isInteger: Bool
  /// True if the port is a switch: 0 is off, 1 is on.
  public let isToggle: Bool
  /// True if only the values of the scale points are valid.
  public let isEnumeration: Bool
  /// True if a control for the port should have a logarithmic scale.
  public let isLogarithmic: Bool
  /// The values that have labels, sorted by value.
  public let scalePoints: [ScalePoint]

  /// Returns the port as a parameter of a unit, without a ramp; the name is the symbol of the port.
  ///
  /// - Parameter hertz: the sample rate in hertz.
  /// - Returns: the parameter.
  public func parameter(hertz: Int) -> Parameter {
    let factor = isTimesRate ? Float(hertz) : 1
    return Parameter(
      symbol, measure, range.lowerBound * factor...range.upperBound * factor,
      initially: initialValue * factor, rampSeconds: 0)
  }

  private var measure: Parameter.Measure {
    if isToggle { return .toggle }
    return switch unit {
    case "dB": .decibels
    case "Hz": .hertz
    case "s": .seconds
    case "m": .metres
    case "cents": .cents
    case "°": .degrees
    case "factor": .factor
    default: .number
    }
  }
}
