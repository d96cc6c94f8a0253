// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Places mono sounds around the listener and adds them to one stereo bus.
///
/// A sound's place on the line from ear to ear, sin(azimuth) · cos(elevation), becomes two gains
/// of constant power, and its distance one more. What is behind sounds like what is before:
/// two loudspeakers cannot tell them apart.
///
/// Each source has five parameters, which tracks can move: those of source n have the number 5n
/// plus that of the setting. A movement takes the straight way through the numbers: from 170° to
/// −170° it goes by the front.
///
/// - Note: Control side; the sound is made on the render thread.
public final class SpatialMixerUnit: ParametricUnit, SavableUnit {
  /// The parameters of a source.
  public enum Setting: Int, Sendable, CaseIterable {
    /// The direction, −180…180 degrees: 0 is before the listener, 90 to the right.
    case azimuth
    /// The height, −90…90 degrees: 90 is above.
    case elevation
    /// 0…10 000 m; 1 at first.
    case distance
    /// A linear factor, 0…16; 1 at first.
    case gain
    /// How fast the sound fades with distance, 0…10; 1 at first.
    case rolloff
  }

  /// The unit's name, for messages and graphs.
  public let name: String
  /// Frames a second.
  public let rate: SampleRate?
  /// The number of sources.
  public let sourceCount: Int
  /// Five parameters a source.
  public let parameters: ParameterSet
  private let distanceLaw: DistanceLaw
  private let kernel: KernelBox<SpatialMixerKernel>

  /// Creates a mixer whose sources all stand a metre before the listener.
  ///
  /// - Parameters:
  ///   - name: what it is called in messages.
  ///   - sourceCount: the number of mono inputs, 1…1024.
  ///   - distanceLaw: how distance becomes a gain.
  ///   - rate: frames a second.
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

  /// One mono bus a source.
  public var inputChannelCounts: [Int] { Array(repeating: 1, count: sourceCount) }

  /// One stereo bus.
  public var outputChannelCounts: [Int] { [2] }

  /// A source on which nothing is connected is silent.
  public var acceptsOpenInputs: Bool { true }

  /// The mixer's kernel.
  public var step: RenderStep { kernel.step }

  /// The settings from which a saved graph restores it.
  public var setup: UnitSetup? {
    UnitSetup(
      "spatial mixer", ["sources": .count(sourceCount), "law": .word("\(distanceLaw)")])
  }

  /// The value that a parameter of a source has or moves to; what is set is held within its range.
  public subscript(source: Int, setting: Setting) -> Float {
    get { parameters[source * 5 + setting.rawValue] }
    set { parameters.hold(source * 5 + setting.rawValue, to: newValue) }
  }
}
