// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// A real-time output: pulls sound from a plan and plays it on a device.
public protocol OutputUnit: AnyObject {
  /// The format of the device.
  var format: AudioFormat { get }

  /// The frames that are rendered at a time.
  ///
  /// Events must be sent this far in advance of `position`.
  var periodFrames: Int { get }

  /// The frames from `position`, at the moment it changes, to the frame that leaves the buffer.
  var latency: Int { get }

  /// The first frame that is not rendered yet; while the unit runs, this is the reference time.
  ///
  /// - Note: Any thread.
  var position: SampleTime { get }

  /// The relation of frames to host time; nil before the first frame was played.
  ///
  /// - Note: Any thread, but one at a time.
  var clock: SampleClock? { get }

  /// The error that ended the output; nil while it works.
  ///
  /// - Note: Any thread.
  var fault: (any Error)? { get }

  /// True while the device is lost and the output waits for it; `position` does not change.
  ///
  /// - Note: Any thread.
  var isAway: Bool { get }

  /// The number of underruns: sound was lost because it was rendered too late.
  ///
  /// - Note: Any thread.
  var xrunCount: Int { get }

  /// Sets the function that sends events up to the current position.
  ///
  /// An output that renders faster than real time calls it before each period. Set it before
  /// `start`.
  func catchUp(by hurry: @escaping @Sendable () -> Void)

  /// Returns a sink for a port that uses this output's frames, if port and output share a frame
  /// clock; nil if they share only the host time.
  func inLine(_ sink: any EventSink<HostTime>) -> (any EventSink<ReferenceTime>)?

  /// Starts to render a plan at a frame, which must be the first of a quantum.
  func start(_ plan: RenderPlan, at frame: SampleTime) throws

  /// Stops, and returns when the device is silent.
  ///
  /// - Parameter draining: true to play rendered frames to the end first.
  func stop(draining: Bool)
}

extension OutputUnit {
  /// False: an output without a device cannot lose it.
  public var isAway: Bool { false }

  /// 0: an output without a device does not have underruns.
  public var xrunCount: Int { 0 }

  /// Ignores the function: the output never renders faster than real time.
  public func catchUp(by hurry: @escaping @Sendable () -> Void) {}

  /// Nil: the output does not share a frame clock with ports.
  public func inLine(_ sink: any EventSink<HostTime>) -> (any EventSink<ReferenceTime>)? { nil }
}
