// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Stereo tools: width, gains of mid and side, balance, and mono bass.
///
/// With the default settings, sound passes unchanged, bit for bit.
///
/// - Note: Use the unit on one thread at a time; the render thread processes the sound.
public final class StereoUnit: SettableUnit, SavableUnit {
  /// The parameters of the stereo tools.
  public enum Setting: Int, Sendable {
    /// Factor for the side signal, 0…2: 0 is mono; default 1.
    case width
    /// Gain of the mid signal (left + right) / 2, −40…12 dB; default 0 dB.
    case mid
    /// Gain of the side signal (left − right) / 2, −40…12 dB; default 0 dB.
    case side
    /// Balance, −1 (left) to 1 (right); towards one side, the gain of the other falls linearly to
    /// 0.
    ///
    /// Default 0.
    case balance
    /// Cutoff of the high-pass that makes the bass mono: the side signal falls by 12 dB per octave
    /// below it; 0…500 Hz.
    ///
    /// Default 0. Below 1 Hz the filter is off.
    case monoBelow
  }

  /// The unit's name, for messages and graphs.
  public let name: String
  /// The sample rate.
  public let rate: SampleRate?
  /// The channel count of each input: one stereo bus.
  public let inputChannelCounts = [2]
  /// The channel count of each output: one stereo bus.
  public let outputChannelCounts = [2]
  /// The parameters: width, mid, side, balance and mono-below.
  public let parameters: ParameterSet
  private let kernel: KernelBox<StereoKernel>

  /// Creates stereo tools with neutral settings.
  ///
  /// - Parameters:
  ///   - name: the unit's name, for messages and graphs.
  ///   - rate: the sample rate.
  public init(name: String = "stereo", rate: SampleRate) {
    self.name = name
    self.rate = rate
    parameters = ParameterSet(
      [
        Parameter("width", .factor, 0...2, initially: 1, rampSeconds: 0.02),
        Parameter("mid", .decibels, -40...12, initially: 0, rampSeconds: 0.02),
        Parameter("side", .decibels, -40...12, initially: 0, rampSeconds: 0.02),
        Parameter("balance", .position, -1...1, initially: 0, rampSeconds: 0.02),
        Parameter("mono-below", .hertz, 0...500, initially: 0, rampSeconds: 0.05),
      ], rate: rate, unit: name)
    kernel = unsafe KernelBox(
      StereoKernel(rate: rate, bank: parameters.bank), StereoKernel.function)
  }

  /// The unit's kernel, with the function that renders one quantum.
  public var step: RenderStep { kernel.step }

  /// The settings from which a saved graph restores the unit.
  public var setup: UnitSetup? { UnitSetup("stereo") }
}
