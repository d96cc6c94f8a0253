// SPDX-License-Identifier: Apache-2.0
import MusicalTime

/// The values that a track's parameter events have brought about at a tick.
struct ParameterChase {
  private(set) var events: [ParameterEvent] = []
  /// When each value was reached, and its place among them by role.
  private var ticks: [UInt64] = []
  private var places: [EventRole: Int] = [:]

  /// Looks through a track up to the tick, and on to where its ramps end.
  init(_ track: MusicTrack, at bound: UInt64) {
    var isOpen: Set<Int> = []
    for record in track.records {
      if record.tick >= bound, isOpen.isEmpty {
        // What was set before the tick may be on its way to another value.
        guard !events.isEmpty else { return }
        isOpen = Set(events.indices)
      }
      guard record.status == EventRecord.parameter, let role = track.role(of: record),
        let event = ParameterEvent(bytes: track.payloads.payload(of: record))
      else { continue }
      if record.tick < bound {
        set(event, role, at: record.tick)
      } else if let place = places[role], isOpen.remove(place) != nil {
        if event.isRamp || track.settings.isAutomation {
          move(place, towards: event, at: record.tick, bound)
        }
        if isOpen.isEmpty { return }
      }
    }
  }

  private mutating func set(_ event: ParameterEvent, _ role: EventRole, at tick: UInt64) {
    var value = event
    value.isRamp = false
    if let place = places[role] {
      (events[place], ticks[place]) = (value, tick)
    } else {
      places[role] = events.count
      events.append(value)
      ticks.append(tick)
    }
  }

  /// Gives a value its place on the straight line to the end of a ramp.
  private mutating func move(
    _ place: Int, towards end: ParameterEvent, at tick: UInt64, _ bound: UInt64
  ) {
    let part = Double(bound - ticks[place]) / Double(tick - ticks[place])
    let (from, to) = (Double(events[place].value), Double(end.value))
    events[place].value = Float(from + (to - from) * part)
  }
}
