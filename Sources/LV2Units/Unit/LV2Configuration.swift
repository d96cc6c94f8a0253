// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// The settings with which a plug-in is loaded.
public struct LV2Configuration: Hashable, Sendable {
  /// The way in which a plug-in's audio ports become buses of the unit.
  public enum Buses: String, Hashable, Sendable, CaseIterable {
    /// One input bus with all audio inputs of the plug-in, if it has any, and one output bus with
    /// all its outputs.
    case own
    /// One stereo input bus, if the plug-in has an audio input, and one stereo output bus.
    ///
    /// A plug-in with one input and one output runs as two instances. A plug-in with one input and
    /// several outputs receives the mean of both channels. Further inputs are silent, and further
    /// outputs are ignored.
    case stereo
  }

  /// The thread for work that a plug-in must not do on the render thread, such as reading files.
  public enum Working: Hashable, Sendable {
    /// The work is done at once, on the thread that requests it.
    ///
    /// Use this for offline rendering, so that the result is the same every time.
    case inLine
    /// The work is done on a separate thread.
    ///
    /// Use this for live sound.
    case onThread
  }

  /// The sample rate.
  public var rate: SampleRate
  /// The unit's buses; default `own`.
  public var buses: Buses
  /// The thread for work that is not real-time safe; default `inLine`.
  public var working: Working
  /// The number of frames that the plug-in renders in one call, a power of two, 1…64; default 64.
  ///
  /// The values of controls change between calls, never within one.
  public var framesPerRun: Int
  /// The time for which the plug-in can sound after its input has ended, in seconds, 0…600; default
  /// 5.
  ///
  /// LV2 plug-ins do not report this time.
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
