// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// What can be done with two sides: wider or narrower, the middle and the sides by themselves, more of
/// left or right, and one sound of the lowest frequencies.
///
/// As it is made it passes everything bit for bit.
///
/// - Note: Control side; the sound is made on the render thread.
public final class StereoUnit: SettableUnit, SavableUnit {
  /// The parameters of the stereo tools.
  public enum Setting: Int, Sendable {
    /// What the difference of the sides is multiplied by, 0…2; 0 is mono, 1, at first, leaves it.
    case width
    /// What the middle, (left + right) / 2, is raised by, −40…12 dB; 0 at first.
    case mid
    /// What the sides, (left − right) / 2, are raised by, −40…12 dB; 0 at first.
    case side
    /// Which side is heard, −1 left to 1 right: the other is turned down in a straight line; 0 at
    /// first.
    case balance
    /// Below which frequency the sides lose 12 dB an octave, up to 500 Hz; below 1 Hz, as at 0 at
    /// first, they lose nothing.
    case monoBelow
  }

  /// The unit's name, for messages and graphs.
  public let name: String
  /// Frames a second.
  public let rate: SampleRate?
  /// One bus of two channels.
  public let inputChannelCounts = [2]
  /// One bus of two channels.
  public let outputChannelCounts = [2]
  /// Width, mid, side, balance and mono-below.
  public let parameters: ParameterSet
  private let kernel: KernelBox<StereoKernel>

  /// Creates stereo tools that leave the sound alone.
  ///
  /// - Parameters:
  ///   - name: what they are called in messages.
  ///   - rate: frames a second.
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

  /// The stereo tools' kernel.
  public var step: RenderStep { kernel.step }

  /// The settings from which a saved graph restores it.
  public var setup: UnitSetup? { UnitSetup("stereo") }
}
