// SPDX-License-Identifier: Apache-2.0

/// A track divided by port, so that an edit that moves events cannot move them to another port.
struct PortParts {
  /// A port, and its events without port numbers and device names.
  struct Part {
    let port: Int
    var track: MusicTrack
  }

  /// The parts, in order of port.
  var parts: [Part] = []
  private let order: PortOrder

  /// Divides a track.
  ///
  /// - Parameters:
  ///   - index: The index of the track.
  ///   - sequence: The sequence that contains the track.
  ///   - ports: The ports of the sequence.
  /// - Throws: `SequenceError.outOfRange` if payloads do not fit.
  init(_ index: Int, of sequence: MusicSequence, _ ports: TrackPorts) throws(SequenceError) {
    order = ports.order
    let track = sequence.tracks[index]
    var indices: [Int: [Int]] = [:]
    var key = PortSegment.Key.none
    for (place, record) in track.records.enumerated() {
      if record.isPort {
        let next = key.after(record, track.payloads)
        // A name after a number does not change the port, and is kept as a text.
        guard next == key, record.isMeta(0x09) else {
          key = next
          continue
        }
      }
      indices[ports.port(of: index, at: place), default: []].append(place)
    }
    for (port, indices) in indices.sorted(by: { $0.key < $1.key }) {
      parts.append(Part(port: port, track: try track.part(of: track.records.selecting(indices))))
    }
  }

  /// Changes every part.
  ///
  /// - Parameter change: Receives the part's track and its port.
  /// - Returns: True if an event, the settings or the length changed.
  /// - Throws: The errors of `change`.
  mutating func change(
    _ change: (inout MusicTrack, Int) throws(SequenceError) -> Void
  ) throws(SequenceError) -> Bool {
    var hasChanged = false
    for index in parts.indices {
      let old = parts[index].track
      try change(&parts[index].track, parts[index].port)
      let new = parts[index].track
      hasChanged =
        hasChanged || !new.records.elementsEqual(old.records) || new.settings != old.settings
        || new.explicitLength != old.explicitLength
    }
    return hasChanged
  }

  /// The parts, joined again.
  ///
  /// - Throws: `SequenceError.outOfRange` if payloads do not fit.
  func joined() throws(SequenceError) -> MusicTrack {
    var tracks: [MusicTrack] = []
    for part in parts {
      var track = part.track
      let key = order.keys.indices.contains(part.port) ? order.keys[part.port] : .none
      if key != .none, let first = track.records.first {
        let stated = try track.record(of: key, at: first.tick)
        track.setRecords(RecordList(inOrder: [stated] + track.records.all))
      }
      tracks.append(track)
    }
    return try MusicTrack(joining: tracks, ports: order)
  }
}

extension MusicSequence {
  /// Edits every track of a scope, each port separately; if an edit throws an error, none is
  /// changed.
  ///
  /// - Parameters:
  ///   - scope: The tracks.
  ///   - change: Receives a track, or a part of one, and its port.
  /// - Throws: `SequenceError.outOfRange` if a track does not exist, and the errors of `change`.
  mutating func editByPort(
    _ scope: EditScope, _ change: (inout MusicTrack, Int) throws(SequenceError) -> Void
  ) throws(SequenceError) {
    var copy = self
    let ports = TrackPorts(self)
    for index in try indices(in: scope) { try copy.edit(track: index, ports, change) }
    if scope.includesTempoTrack { try change(&copy.tempoTrack, 0) }
    self = copy
  }

  /// Edits one track, each port separately.
  ///
  /// - Parameters:
  ///   - index: The index of the track.
  ///   - ports: The ports of the sequence.
  ///   - change: Receives the track, or a part of it, and its port.
  /// - Throws: `SequenceError.outOfRange` if payloads do not fit, and the errors of `change`.
  mutating func edit(
    track index: Int, _ ports: TrackPorts,
    _ change: (inout MusicTrack, Int) throws(SequenceError) -> Void
  ) throws(SequenceError) {
    guard ports.ports(of: index).count > 1 else {
      return try change(&tracks[index], ports.port(of: index, at: 0))
    }
    var parts = try PortParts(index, of: self, ports)
    if try parts.change(change) { tracks[index].takeEvents(of: try parts.joined()) }
  }
}

extension MusicTrack {
  /// Takes the events, settings and length of another track.
  mutating func takeEvents(of other: MusicTrack) {
    payloads = other.payloads
    setRecords(other.records)
    settings = other.settings
    explicitLength = other.explicitLength
  }
}
