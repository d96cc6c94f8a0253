// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// The lines between the points of a sequence's parameters, as its tracks are played: with their
/// offsets and loops.
///
/// A line leads to every event that is a ramp, and to every event of an automation track, from the
/// event before it of the same parameter. None leads over the seam of a track's loop.
///
/// - Complexity: O(n) to create; a look-up is O(log n) in the lines of a track, and O(m) more for
///   those that began before one that is in force.
public struct AutomationRamps: Sendable {
  private let tracks: [TrackRamps]
  /// The place among them of each track that has lines.
  private let places: [Int32: Int]

  /// Finds the lines of a sequence.
  public init(_ sequence: MusicSequence) {
    let tracks = sequence.tracks.enumerated().compactMap { TrackRamps($1, at: $0) }
    self.tracks = tracks
    places = Dictionary(uniqueKeysWithValues: tracks.indices.map { (tracks[$0].track, $0) })
  }

  /// The line that begins at an event; nil where none does.
  public func ramp(from event: CursorEvent) -> AutomationRamp? {
    places[event.track].flatMap { tracks[$0].ramp(from: event) }
  }

  /// Calls a closure with each line that began before a tick and ends after it.
  public func forEach(at tick: Tick, _ body: (AutomationRamp) -> Void) {
    for track in tracks { track.forEach(at: tick, body) }
  }
}

extension MusicTrack {
  /// The records of parameter events, and their places.
  fileprivate var parameterRecords: [(index: Int, record: EventRecord)] {
    guard !payloads.bytes.isEmpty else { return [] }
    var (found, start): ([(index: Int, record: EventRecord)], Int) = ([], 0)
    for chunk in records.chunks {
      for (index, record) in chunk.enumerated() where record.status == EventRecord.parameter {
        found.append((start + index, record))
      }
      start += chunk.count
    }
    return found
  }
}

/// The lines of one track.
private struct TrackRamps: Sendable {
  let track: Int32
  /// In ticks of the track, in the order in which they begin.
  private let ramps: [AutomationRamp]
  /// For each line where it and those before it end at the latest.
  private let lastEnds: [Tick]
  private let reading: TrackReading

  /// Finds the lines of a track; nil where it has none.
  init?(_ track: MusicTrack, at place: Int) {
    let isCurve = track.settings.isAutomation
    var last: [EventRole: (index: Int, tick: UInt64, event: ParameterEvent)] = [:]
    var ramps: [AutomationRamp] = []
    for (index, record) in track.parameterRecords {
      guard let role = track.role(of: record),
        let event = ParameterEvent(bytes: track.payloads.payload(of: record))
      else { continue }
      if event.isRamp || isCurve, let first = last[role], first.tick < record.tick {
        ramps.append(
          AutomationRamp(
            track: place, index: first.index, start: first.tick, end: record.tick,
            from: first.event, to: event))
      }
      last[role] = (index, record.tick, event)
    }
    guard !ramps.isEmpty else { return nil }
    ramps.sort { $0.index < $1.index }
    self.track = Int32(truncatingIfNeeded: place)
    self.ramps = ramps
    reading = TrackReading(playing: track, from: 0)
    var latest = Tick.zero
    lastEnds = ramps.map { ramp in
      latest = max(latest, ramp.end)
      return latest
    }
  }

  func ramp(from event: CursorEvent) -> AutomationRamp? {
    let place = firstPlace { $0.index >= event.index }
    guard place < ramps.count, ramps[place].index == event.index else { return nil }
    return ramps[place].shifted(by: event.tick.value - ramps[place].start.value)
  }

  func forEach(at tick: Tick, _ body: (AutomationRamp) -> Void) {
    let (own, passStart) = reading.ownTick(of: tick.value)
    var place = firstPlace { $0.start.value >= own } - 1
    while place >= 0, lastEnds[place].value > own {
      let ramp = ramps[place]
      if ramp.end.value > own, ramp.start.value >= passStart {
        body(ramp.shifted(by: tick.value - own))
      }
      place -= 1
    }
  }

  /// The first place whose line satisfies what no line before it does and all after it do.
  private func firstPlace(where holds: (AutomationRamp) -> Bool) -> Int {
    var (low, high) = (0, ramps.count)
    while low < high {
      let middle = (low + high) >> 1
      if holds(ramps[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
