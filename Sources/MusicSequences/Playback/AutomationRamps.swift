// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// The ramps of a sequence's parameters, as its tracks are played with offsets and loops.
///
/// Each event with `isRamp`, and each event of an automation track, ends a ramp that begins at the
/// previous event of the same parameter. Ramps do not cross the boundary of a track's loop.
///
/// - Complexity: O(n) to create; a lookup is O(log n) in the ramps of a track, plus O(m) for m
///   ramps that began earlier.
public struct AutomationRamps: Sendable {
  private let tracks: [TrackRamps]
  /// The index in `tracks` for each track that has ramps.
  private let places: [Int32: Int]

  /// Creates the ramps of a sequence.
  public init(_ sequence: MusicSequence) {
    let tracks = sequence.tracks.enumerated().compactMap { TrackRamps($1, at: $0) }
    self.tracks = tracks
    places = Dictionary(uniqueKeysWithValues: tracks.indices.map { (tracks[$0].track, $0) })
  }

  /// Returns the ramp that begins at an event, or nil if the event does not begin one.
  public func ramp(from event: CursorEvent) -> AutomationRamp? {
    places[event.track].flatMap { tracks[$0].ramp(from: event) }
  }

  /// Calls a closure with each ramp that began before a tick and ends after it.
  public func forEach(at tick: Tick, _ body: (AutomationRamp) -> Void) {
    for track in tracks { track.forEach(at: tick, body) }
  }
}

extension MusicTrack {
  /// The records of parameter events, with their indices.
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

/// The ramps of one track.
private struct TrackRamps: Sendable {
  let track: Int32
  /// The ramps in ticks of the track, in the order in which they begin.
  private let ramps: [AutomationRamp]
  /// For each ramp, the latest end of it and all earlier ramps.
  private let lastEnds: [Tick]
  private let reading: TrackReading

  /// Finds the ramps of a track, or returns nil if it has none.
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

  /// The first index that meets a condition; the condition is false before that index and true
  /// after it.
  private func firstPlace(where holds: (AutomationRamp) -> Bool) -> Int {
    var (low, high) = (0, ramps.count)
    while low < high {
      let middle = (low + high) >> 1
      if holds(ramps[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
