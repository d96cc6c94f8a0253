// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// An effect with parameters, one stereo bus in and one out.
public protocol StereoEffect: ParametricUnit, SavableUnit {}

extension StereoEffect {
  /// The unit's name, for messages and graphs.
  public var name: String { parameters.unitName }
  /// Frames a second.
  public var rate: SampleRate? { parameters.rate }
  /// One stereo bus.
  public var inputChannelCounts: [Int] { [2] }
  /// One stereo bus.
  public var outputChannelCounts: [Int] { [2] }
}
