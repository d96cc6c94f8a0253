// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Places mono sources around the listener, and adds them to one stereo bus.
///
/// The position of a source between left and right, sin(azimuth) · cos(elevation), determines the
/// gains of both channels, with constant power. The distance of the source determines a further
/// gain. A source in front and one behind sound the same, because two loudspeakers cannot
/// distinguish them.
///
/// Each source has five parameters, which tracks can automate. The index of a parameter of source n
/// (from 0) is 5n plus the raw value of `Setting`. A change moves the number linearly: from 170° to
/// −170°, a source moves through the front.
///
/// - Note: Use the unit on one thread at a time; the render thread processes the sound.
public final class SpatialMixerUnit: ParametricUnit, SavableUnit {
  /// The parameters of a source.
  public enum Setting: Int, Sendable, CaseIterable {
    /// Azimuth, −180…180 degrees: 0 is in front, 90 to the right; default 0.
    case azimuth
    /// Elevation, −90…90 degrees: 90 is above; default 0.
    case elevation
    /// Distance, 0…10 000 m; default 1 m.
    case distance
    /// Gain, a linear factor 0…16; default 1.
    case gain
    /// Strength of the attenuation by distance, 0…10; default 1; 0 turns it off.
    case rolloff
  }

  /// The unit's name, for messages and graphs.
  public let name: String
  /// The sample rate.
  public let rate: SampleRate?
  /// The number of sources.
  public let sourceCount: Int
  /// Five parameters for each source.
  public let parameters: ParameterSet
  private let distanceLaw: DistanceLaw
  private let kernel: KernelBox<SpatialMixerKernel>

  /// Creates a mixer whose sources are one metre in front of the listener.
  ///
  /// - Parameters:
  ///   - name: the unit's name, for messages and graphs.
  ///   - sourceCount: the number of mono inputs, 1…1024.
  ///   - distanceLaw: the conversion of distance to gain.
  ///   - rate: the sample rate.
  public init(
    name: String = "spatial mixer", sourceCount: Int, distanceLaw: DistanceLaw = .inverse,
    rate: SampleRate
  ) {
    precondition((1...1024).contains(sourceCount), "a spatial mixer has 1 to 1024 sources")
    self.name = name
    self.rate = rate
    self.sourceCount = sourceCount
    self.distanceLaw = distanceLaw
    parameters = ParameterSet(
      (1...sourceCount).flatMap { Self.parameters("source \($0) ") }, rate: rate, unit: name,
      stride: 5)
    kernel = unsafe KernelBox(
      SpatialMixerKernel(sourceCount: sourceCount, law: distanceLaw, bank: parameters.bank),
      SpatialMixerKernel.function)
  }

  private static func parameters(_ source: String) -> [Parameter] {
    [
      Parameter(source + "azimuth", .degrees, -180...180, initially: 0, rampSeconds: 0.02),
      Parameter(source + "elevation", .degrees, -90...90, initially: 0, rampSeconds: 0.02),
      Parameter(source + "distance", .metres, 0...10_000, initially: 1, rampSeconds: 0.02),
      Parameter(source + "gain", .factor, 0...16, initially: 1),
      Parameter(source + "rolloff", .number, 0...10, initially: 1, rampSeconds: 0.02),
    ]
  }

  /// The channel count of each input: one mono bus for each source.
  public var inputChannelCounts: [Int] { Array(repeating: 1, count: sourceCount) }

  /// The channel count of each output: one stereo bus.
  public var outputChannelCounts: [Int] { [2] }

  /// True: a source without a connection is silent.
  public var acceptsOpenInputs: Bool { true }

  /// The unit's kernel, with the function that renders one quantum.
  public var step: RenderStep { kernel.step }

  /// The settings from which a saved graph restores the unit.
  public var setup: UnitSetup? {
    UnitSetup(
      "spatial mixer", ["sources": .count(sourceCount), "law": .word("\(distanceLaw)")])
  }

  /// The value of a source's parameter; during a change, the value at the end of the change.
  ///
  /// New values are limited to the parameter's range.
  public subscript(source: Int, setting: Setting) -> Float {
    get { parameters[source * 5 + setting.rawValue] }
    set { parameters.hold(source * 5 + setting.rawValue, to: newValue) }
  }
}
