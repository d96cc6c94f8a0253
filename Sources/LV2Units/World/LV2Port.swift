// SPDX-License-Identifier: Apache-2.0
public import AudioProcessing

/// A port of a plug-in.
public struct LV2Port: Hashable, Sendable {
  /// What goes through a port.
  public enum Kind: Hashable, Sendable {
    /// Samples.
    case audio
    /// One number.
    case control
    /// Events, such as MIDI messages and the place in the song.
    case events
    /// Anything else, by the URI of its type.
    case other(String)
  }

  /// A value with a name.
  public struct ScalePoint: Hashable, Sendable {
    /// What it is called.
    public let label: String
    /// The value.
    public let value: Float
  }

  /// The most ports of a plug-in.
  static let limit = 8192

  /// The port's number, from 0.
  public let index: Int
  /// A name that is one word, unique within the plug-in, and stays the same from version to version.
  public let symbol: String
  /// The name for people.
  public let name: String
  /// Whether it brings something to the plug-in.
  public let isInput: Bool
  /// What goes through it.
  public let kind: Kind
  /// Whether it may be left open.
  public let isOptional: Bool
  /// Whether events through it may be MIDI messages.
  public let takesMIDI: Bool
  /// Whether events through it may be places in a song.
  public let takesPosition: Bool
  /// Whether what comes out of it is the plug-in's latency, in frames.
  public let reportsLatency: Bool
  /// What a number is counted in, such as `dB`, `ms` or `%`; nil where nothing is said.
  public let unit: String?
  /// The numbers that can be set; of a measure in frames a second at 1 Hz, to be multiplied by the rate.
  public let range: ClosedRange<Float>
  /// The number that it is at first.
  public let initialValue: Float
  /// Whether range and initial value are to be multiplied by the rate.
  public let isTimesRate: Bool
  /// Whether only whole numbers are meant.
  public let isInteger: Bool
  /// Whether only off, 0, and on, 1, are meant.
  public let isToggle: Bool
  /// Whether only the scale points are meant.
  public let isEnumeration: Bool
  /// Whether equal steps of what shows it are equal factors.
  public let isLogarithmic: Bool
  /// Values with names, the lowest first.
  public let scalePoints: [ScalePoint]

  /// The port as a parameter, called by its symbol; what is set applies at once.
  ///
  /// - Parameter hertz: frames a second.
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
