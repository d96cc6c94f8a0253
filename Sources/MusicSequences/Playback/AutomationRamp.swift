// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// A linear ramp of a unit's parameter, in ticks of the sequence as it is played.
public struct AutomationRamp: Hashable, BitwiseCopyable, Sendable {
  /// The index of the track that contains the ramp.
  public let track: Int32
  /// The index in its track of the event at which the ramp begins.
  public let index: Int32
  /// The tick at which the ramp begins.
  public private(set) var start: Tick
  /// The tick at which the ramp ends, later than `start`.
  public private(set) var end: Tick
  /// The value at `start`, in the parameter's physical unit.
  public let startValue: Float
  /// The parameter, and its value at `end`.
  public let goal: ParameterChange

  init(
    track: Int, index: Int, start: UInt64, end: UInt64, from first: ParameterEvent,
    to last: ParameterEvent
  ) {
    self.track = Int32(truncatingIfNeeded: track)
    self.index = Int32(truncatingIfNeeded: index)
    self.start = Tick(Int64(start))
    self.end = Tick(Int64(end))
    startValue = first.value
    goal = ParameterChange(last)
  }

  /// Returns the value at a tick, rounded to the nearest `Float`.
  ///
  /// Before the ramp, the value is the first one; after the ramp, the last one.
  public func value(at tick: Tick) -> Float {
    guard tick < end else { return goal.value }
    guard tick > start else { return startValue }
    let part = Double(tick.value - start.value) / Double(end.value - start.value)
    return Float(Double(startValue) + (Double(goal.value) - Double(startValue)) * part)
  }

  func shifted(by ticks: Int64) -> AutomationRamp {
    var ramp = self
    ramp.start = Tick(start.value + ticks)
    ramp.end = Tick(end.value + ticks)
    return ramp
  }
}

extension ParameterChange {
  /// Creates the parameter change of an event, which takes the parameter's default transition time.
  public init(_ event: ParameterEvent) {
    self.init(
      parameter: event.parameter, scope: event.scope, element: event.element, value: event.value)
  }
}
