// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// A real-time output, which plays the sound of a plan on a device.
public protocol OutputUnit: AnyObject {
  /// The format of the device.
  var format: AudioFormat { get }

  /// The number of frames that are rendered at a time.
  ///
  /// Events must be sent at least this number of frames before they are due, counted from
  /// `position`.
  var periodFrames: Int { get }

  /// The number of frames between `position`, when it changes, and the frame that the device plays
  /// at that moment.
  var latency: Int { get }

  /// The first frame that is not rendered yet; while the output runs, this position is the
  /// reference time.
  ///
  /// - Note: Any thread.
  var position: SampleTime { get }

  /// The relation of frames to host time; nil before the first frame was played.
  ///
  /// - Note: Any thread, but only one at a time.
  var clock: SampleClock? { get }

  /// The error that ended the output; nil if the output works.
  ///
  /// - Note: Any thread.
  var fault: (any Error)? { get }

  /// True while the device is lost and the output waits for its return; `position` does not change.
  ///
  /// - Note: Any thread.
  var isAway: Bool { get }

  /// The number of underruns, in which sound was lost because it was rendered too late.
  ///
  /// - Note: Any thread.
  var xrunCount: Int { get }

  /// Sets the function that sends events up to the current position.
  ///
  /// An output that renders faster than real time calls the function before each period. Call this
  /// method before `start`.
  func catchUp(by hurry: @escaping @Sendable () -> Void)

  /// Returns a sink that sends the events of a port by this output's frame clock; nil if port and
  /// output share only the host time.
  func inLine(_ sink: any EventSink<HostTime>) -> (any EventSink<ReferenceTime>)?

  /// Starts to render a plan at a frame, which must be a multiple of 64.
  func start(_ plan: RenderPlan, at frame: SampleTime) throws

  /// Stops the output, and returns when the device is silent.
  ///
  /// - Parameter draining: true to play frames that are already rendered to the end first.
  func stop(draining: Bool)
}

extension OutputUnit {
  /// False: by default the output does not have a device that can be lost.
  public var isAway: Bool { false }

  /// 0: by default the output does not have underruns.
  public var xrunCount: Int { 0 }

  /// Ignores the function, because by default an output never renders faster than real time.
  public func catchUp(by hurry: @escaping @Sendable () -> Void) {}

  /// Nil: by default the output does not share a frame clock with ports.
  public func inLine(_ sink: any EventSink<HostTime>) -> (any EventSink<ReferenceTime>)? { nil }
}
