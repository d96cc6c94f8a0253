// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// An output in real time: it asks a plan for sound and gives the sound to a device.
public protocol OutputUnit: AnyObject {
  /// The format that the device takes.
  var format: AudioFormat { get }

  /// The frames that are rendered at a time: events must be sent that far ahead of `position`.
  var periodFrames: Int { get }

  /// How many frames `position`, when it moves, is ahead of the frame that leaves the buffer.
  var latency: Int { get }

  /// The first frame that has not been rendered; reference time while the unit runs.
  ///
  /// - Note: Any thread.
  var position: SampleTime { get }

  /// Where its frames stand in host time; nil before the first has gone out.
  ///
  /// - Note: One thread at a time, any.
  var clock: SampleClock? { get }

  /// Why the device takes no more sound; nil while it does.
  ///
  /// - Note: Any thread.
  var fault: (any Error)? { get }

  /// Whether the device is gone and its return is waited for; `position` stands still.
  ///
  /// - Note: Any thread.
  var isAway: Bool { get }

  /// Starts rendering a plan from frame 0.
  func start(_ plan: RenderPlan) throws

  /// Stops and returns when the device is silent.
  ///
  /// - Parameter draining: whether what was rendered is played to its end first.
  func stop(draining: Bool)
}

extension OutputUnit {
  /// False: an output without a device cannot lose it.
  public var isAway: Bool { false }
}
