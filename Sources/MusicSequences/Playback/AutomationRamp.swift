// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// A straight line from one point of a unit's parameter to the next, in ticks of the sequence as
/// it is played.
public struct AutomationRamp: Hashable, BitwiseCopyable, Sendable {
  /// The index of the track in the sequence.
  public let track: Int32
  /// The index in the track of the event that the line begins at.
  public let index: Int32
  /// Where the line begins.
  public private(set) var start: Tick
  /// Where it ends; later than `start`.
  public private(set) var end: Tick
  /// The value at `start`, in the parameter's unit.
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

  /// The value at a tick, to the nearest `Float`; before the line the value of its start, after the
  /// line that of its end.
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
  /// Creates the change that an event asks for; it takes the time that the parameter has by itself.
  public init(_ event: ParameterEvent) {
    self.init(
      parameter: event.parameter, scope: event.scope, element: event.element, value: event.value)
  }
}
