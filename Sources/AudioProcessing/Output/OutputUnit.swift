// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
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

  /// How often sound was lost because somebody was too slow.
  ///
  /// - Note: Any thread.
  var xrunCount: Int { get }

  /// Takes what brings events up to the position, for an output that may render faster than real
  /// time: it calls that then before each period. To be called before the start.
  func catchUp(by hurry: @escaping @Sendable () -> Void)

  /// A port's sink in this output's own frames, where what has both has one count of frames; nil
  /// where they meet in host time alone.
  func inLine(_ sink: any EventSink<HostTime>) -> (any EventSink<ReferenceTime>)?

  /// Starts rendering a plan from a frame on, which is the first of a quantum.
  func start(_ plan: RenderPlan, at frame: SampleTime) throws

  /// Stops and returns when the device is silent.
  ///
  /// - Parameter draining: whether what was rendered is played to its end first.
  func stop(draining: Bool)
}

extension OutputUnit {
  /// False: an output without a device cannot lose it.
  public var isAway: Bool { false }

  /// 0: nothing waits for an output without a device.
  public var xrunCount: Int { 0 }

  /// Nothing: an output is never ahead of its own time.
  public func catchUp(by hurry: @escaping @Sendable () -> Void) {}

  /// Nil: ports are another's.
  public func inLine(_ sink: any EventSink<HostTime>) -> (any EventSink<ReferenceTime>)? { nil }
}
