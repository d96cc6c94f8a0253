// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// An effect with parameters, one stereo input and one stereo output.
public protocol StereoEffect: ParametricUnit, SavableUnit {}

extension StereoEffect {
  /// The unit's name, for messages and graphs.
  public var name: String { parameters.unitName }
  /// The sample rate.
  public var rate: SampleRate? { parameters.rate }
  /// The channel count of each input: one stereo bus.
  public var inputChannelCounts: [Int] { [2] }
  /// The channel count of each output: one stereo bus.
  public var outputChannelCounts: [Int] { [2] }
}
