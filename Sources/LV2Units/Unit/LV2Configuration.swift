// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// The settings with which a plug-in is loaded.
public struct LV2Configuration: Hashable, Sendable {
  /// The buses of a unit.
  public enum Buses: String, Hashable, Sendable, CaseIterable {
    /// One bus with all the plug-in's audio inputs, if it has any, and one with all its outputs.
    case own
    /// One stereo bus in, if the plug-in has an audio input, and one stereo bus out.
    ///
    /// A plug-in with one input and one output runs as two instances. A plug-in with one input and
    /// several outputs receives the mean of both channels. Further inputs are silent, and further
    /// outputs are ignored.
    case stereo
  }

  /// The thread for work that must not be done on the render thread.
  public enum Working: Hashable, Sendable {
    /// At once, on the thread that requests it: for offline rendering, so that the result is the
    /// same every time.
    case inLine
    /// On another thread: for live sound.
    case onThread
  }

  /// The sample rate.
  public var rate: SampleRate
  /// The unit's buses; default `own`.
  public var buses: Buses
  /// The thread for work that is not real-time safe; default `inLine`.
  public var working: Working
  /// Frames that the plug-in renders in one run, a power of two, 1…64; default 64.
  ///
  /// The controls change between runs, never within one.
  public var framesPerRun: Int
  /// Seconds for which the plug-in may sound after its input ends, 0…600; default 5.
  ///
  /// LV2 plug-ins do not report this.
  public var tailSeconds: Double

  /// Creates a configuration.
  ///
  /// - Precondition: `framesPerRun` is a power of two up to 64, and `tailSeconds` is 0…600.
  public init(
    rate: SampleRate, buses: Buses = .own, working: Working = .inLine, framesPerRun: Int = 64,
    tailSeconds: Double = 5
  ) {
    precondition(
      [1, 2, 4, 8, 16, 32, 64].contains(framesPerRun),
      "framesPerRun must be a power of two, 1 to 64")
    precondition((0...600).contains(tailSeconds), "tailSeconds must be 0 to 600")
    self.rate = rate
    self.buses = buses
    self.working = working
    self.framesPerRun = framesPerRun
    self.tailSeconds = tailSeconds
  }
}
