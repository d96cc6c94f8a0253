// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// How a plug-in is set up.
public struct LV2Configuration: Hashable, Sendable {
  /// What buses a unit has.
  public enum Buses: String, Hashable, Sendable, CaseIterable {
    /// One bus of the plug-in's inputs, if any, and one of its outputs.
    case own
    /// One stereo bus in, if it hears anything, and one out.
    ///
    /// A plug-in of one channel is made twice; one that hears one channel and makes two is given the
    /// mean; further channels hear silence and are not heard.
    case stereo
  }

  /// Where a plug-in does what must not be done on the render thread.
  public enum Working: Hashable, Sendable {
    /// At once, where it asks for it: offline, where the same bytes are to come every time.
    case inLine
    /// On a thread of its own: live.
    case onThread
  }

  /// Frames a second.
  public var rate: SampleRate
  /// What buses it has.
  public var buses: Buses
  /// Where it works.
  public var working: Working
  /// The frames that a plug-in renders at a time, a power of two up to 64: its controls are set anew
  /// before each.
  public var framesPerRun: Int
  /// For how long it may sound on once it hears nothing, in seconds, 0…600: no plug-in says.
  public var tailSeconds: Double

  /// Sets up a plug-in.
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
