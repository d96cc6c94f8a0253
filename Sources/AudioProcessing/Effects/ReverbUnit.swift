// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// The sound of a room: sixteen delays that feed one another.
///
/// The matrix between the delays loses nothing, and each delay loses what the decay asks for in its
/// length, so that everything dies away in the same time, but for what is low and what is high, which
/// may have times of their own. The delays move a little, each to its own time, so that nothing rings.
/// Ahead of them are ten single reflections a side. A steady noise comes out of the room as loud as it
/// goes in, whatever the decay. A change of the size fades over in 1024 frames.
///
/// - Note: Control side; the sound is made on the render thread.
/// Source: J.-M. Jot, A. Chaigne, Digital delay networks for designing artificial reverberators, AES
/// 90th Convention (1991); M. R. Schroeder, Natural sounding artificial reverberation (1962), for the
/// all-pass filters before them.
public final class ReverbUnit: SettableUnit, SavableUnit {
  /// The parameters of a reverb.
  public enum Setting: Int, Sendable {
    /// How long sound takes through the room on average, as a way in air: 2…50 m; 12 at first.
    case size
    /// In what time the sound loses 60 dB, 0.2…60 s; 2 at first.
    case decay
    /// How much sooner the highest frequencies are gone, 0…0.95: they take 1 less this of the decay;
    /// 0.6 at first.
    case damping
    /// The time before the room is heard, to the nearest frame, 0…0.5 s; 0.01 at first.
    case preDelay
    /// The share of the room in what comes out, 0…1; the rest is what came in. 0.25 at first.
    case mix
    /// How much longer than the decay the lowest frequencies take, a factor 0.25…2; 1 at first. From
    /// 250 Hz on down it comes to be.
    case lowDecay
    /// How far the delays move, 0…1, of 0.16 ms to either side; 0.4 at first.
    case modulation
    /// The share of the first reflections in the power of the room, 0…1; 0.2 at first.
    case early
    /// How wide the room is, 0…1: both sides alike, or with nothing in common; 1 at first.
    case width
  }

  /// The unit's name, for messages and graphs.
  public let name: String
  /// Frames a second.
  public let rate: SampleRate?
  /// One bus.
  public let inputChannelCounts: [Int]
  /// One bus.
  public var outputChannelCounts: [Int] { inputChannelCounts }
  /// Size, decay, damping, pre-delay, mix, low-decay, modulation, early and width.
  public let parameters: ParameterSet
  private let kernel: KernelBox<ReverbKernel>

  /// Creates a reverb.
  ///
  /// - Parameters:
  ///   - name: what it is called in messages.
  ///   - channelCount: the channels of its bus, 1 or 2.
  ///   - rate: frames a second.
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

  /// The reverb's kernel.
  public var step: RenderStep { kernel.step }

  /// The frames until the room is 100 dB down, a minute at most.
  public var tail: Int {
    let decay = Double(self[.decay] * max(1, self[.lowDecay]))
    let seconds = Double(self[.preDelay]) + decay * 100 / 60 + 0.2
    return Int((min(60, seconds) * Double(parameters.rate.hertz)).rounded(.up))
  }

  /// The settings from which a saved graph restores it.
  public var setup: UnitSetup? {
    UnitSetup("reverb", ["channels": .count(inputChannelCounts[0])])
  }
}
