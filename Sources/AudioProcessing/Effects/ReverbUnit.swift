// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Room reverb: a feedback network of sixteen delays.
///
/// The matrix between the delays is lossless. Each delay attenuates the sound in proportion to its
/// length, so sound decays equally in all delays. Low and high frequencies have separate decay
/// times. Each delay is modulated slightly at a different rate, which avoids ringing. The reverb of
/// each side begins with ten separate early reflections. Steady noise has the same level at the
/// output as at the input, with any decay. When the size changes, the reverb of the old size fades
/// into that of the new size in 1024 frames.
///
/// - Note: Use the unit on one thread at a time; the render thread processes the sound. Source:
///   J.-M. Jot, A. Chaigne, Digital delay networks for designing artificial reverberators, AES 90th
///   Convention (1991); M. R. Schroeder, Natural sounding artificial reverberation (1962), for the
///   all-pass filters before the delays.
public final class ReverbUnit: SettableUnit, SavableUnit {
  /// The parameters of a reverb.
  public enum Setting: Int, Sendable {
    /// Size of the room, as the average distance that sound travels between walls, 2…50 m; default
    /// 12 m.
    case size
    /// Time in which the sound decays by 60 dB, 0.2…60 s; default 2 s.
    case decay
    /// Damping of high frequencies, 0…0.95: the decay time of the highest frequencies is `decay` ×
    /// (1 − damping).
    ///
    /// Default 0.6.
    case damping
    /// Time before the reverb starts, 0…0.5 s, rounded to a frame; default 0.01 s.
    case preDelay
    /// Share of the reverb in the output, 0…1; the rest is the dry sound.
    ///
    /// Default 0.25.
    case mix
    /// Decay time of the lowest frequencies, as a factor of `decay`, 0.25…2; default 1.
    ///
    /// The factor applies gradually below 250 Hz.
    case lowDecay
    /// Modulation of the delays, 0…1; default 0.4.
    ///
    /// At 1 the delays vary by 0.16 ms up and down.
    case modulation
    /// Share of the reverb's power that belongs to the early reflections, 0…1; default 0.2.
    case early
    /// Stereo width of the reverb, 0…1: at 0 it is mono, and at 1 left and right are uncorrelated.
    ///
    /// Default 1.
    case width
  }

  /// The unit's name, for messages and graphs.
  public let name: String
  /// The sample rate.
  public let rate: SampleRate?
  /// The channel count of each input: the unit has one input bus.
  public let inputChannelCounts: [Int]
  /// The channel count of each output: one bus, with as many channels as the input.
  public var outputChannelCounts: [Int] { inputChannelCounts }
  /// The parameters: size, decay, damping, pre-delay, mix, low-decay, modulation, early and width.
  public let parameters: ParameterSet
  private let kernel: KernelBox<ReverbKernel>

  /// Creates a reverb.
  ///
  /// - Parameters:
  ///   - name: the unit's name, for messages and graphs.
  ///   - channelCount: the number of channels, 1 or 2.
  ///   - rate: the sample rate.
  public init(name: String = "reverb", channelCount: Int = 2, rate: SampleRate) {
    precondition((1...2).contains(channelCount), "a reverb has 1 or 2 channels")
    self.name = name
    self.rate = rate
    inputChannelCounts = [channelCount]
    parameters = ParameterSet(
      [
        Parameter("size", .metres, 2...50, initially: 12, rampSeconds: 0),
        Parameter("decay", .seconds, 0.2...60, initially: 2, rampSeconds: 0.05),
        Parameter("damping", .factor, 0...0.95, initially: 0.6, rampSeconds: 0.05),
        Parameter("pre-delay", .seconds, 0...0.5, initially: 0.01, rampSeconds: 0),
        Parameter("mix", .factor, 0...1, initially: 0.25),
        Parameter("low-decay", .factor, 0.25...2, initially: 1, rampSeconds: 0.05),
        Parameter("modulation", .factor, 0...1, initially: 0.4, rampSeconds: 0.05),
        Parameter("early", .factor, 0...1, initially: 0.2, rampSeconds: 0.05),
        Parameter("width", .factor, 0...1, initially: 1, rampSeconds: 0.05),
      ], rate: rate, unit: name)
    kernel = unsafe KernelBox(
      ReverbKernel(channelCount: channelCount, rate: rate, bank: parameters.bank),
      ReverbKernel.function, clearing: ReverbKernel.clearing)
  }

  /// The unit's kernel, with the function that renders one quantum.
  public var step: RenderStep { kernel.step }

  /// The number of frames until the reverb has decayed by 100 dB, at most one minute.
  public var tail: Int {
    let decay = Double(self[.decay] * max(1, self[.lowDecay]))
    let seconds = Double(self[.preDelay]) + decay * 100 / 60 + 0.2
    return Int((min(60, seconds) * Double(parameters.rate.hertz)).rounded(.up))
  }

  /// The settings from which a saved graph restores the unit.
  public var setup: UnitSetup? {
    UnitSetup("reverb", ["channels": .count(inputChannelCounts[0])])
  }
}
