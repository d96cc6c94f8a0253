// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages

/// The part of a song that one of several instruments plays.
///
/// It depends only on the song, so the same song gives the same bytes on every machine.
struct EnsemblePart: Hashable {
  /// The mean numbers of simultaneous notes that justify another instrument, whose effects cost as
  /// much as ten voices.
  private static let thresholds = [8.0, 100, 150]

  /// The channels: bit n is channel index n.
  var channels: UInt16
  /// The tracks whose notes it plays on its channels; nil for every track.
  var tracks: Set<UInt16>?
  /// The port that it plays, counted from 0; nil for every port.
  var port: UInt8?

  /// Returns true if the part plays an event.
  func plays(_ event: TimedEvent) -> Bool {
    guard port == nil || port == event.port else { return false }
    guard case .message(let message) = event.payload else { return true }
    return filter(forTrack: event.track).passes(message)
  }

  /// The filter for a track: programs and controllers of all tracks pass, notes only of the part's
  /// tracks.
  func filter(forTrack track: UInt16) -> MessageFilter {
    let isOwn = tracks?.contains(track) ?? true
    let others = MessageFilter.Kinds.all.subtracting([.notes, .keyPressure])
    return MessageFilter(kinds: isOwn ? .all : others, channels: channels)
  }

  /// The number of instruments for a song.
  private static func count(for loads: NoteLoads) -> Int {
    1 + thresholds.filter { loads.density >= $0 }.count
  }

  /// The parts of each port, divided as if the port were alone; at least one part.
  private static func byPort(
    _ loads: NoteLoads, _ share: (NoteLoads) -> [EnsemblePart]
  ) -> [EnsemblePart] {
    guard !loads.isOfOnePort, !loads.ports.isEmpty else { return share(loads) }
    return loads.ports.flatMap { port in
      share(loads.ofPort(port)).map { part in
        var part = part
        part.port = port
        return part
      }
    }
  }

  /// Divides the channels of each port among parts.
  static func byChannel(_ loads: NoteLoads) -> [EnsemblePart] {
    byPort(loads, channelsOfPort)
  }

  /// Divides the tracks of each port among parts, so that tracks that share a channel are in
  /// different parts.
  static func byTrack(_ loads: NoteLoads) -> [EnsemblePart] {
    byPort(loads, tracksOfPort)
  }

  /// Divides channels: the one with the most work goes to the part with the least, and so on.
  private static func channelsOfPort(_ loads: NoteLoads) -> [EnsemblePart] {
    let weights = loads.byChannel
    let used = weights.filter { $0 > 0 }.count
    let count = min(count(for: loads), max(1, used))
    var parts = [EnsemblePart](repeating: EnsemblePart(channels: 0), count: count)
    var sums = [Int64](repeating: 0, count: count)
    for channel in weights.indices.sorted(by: { (weights[$1], $0) < (weights[$0], $1) }) {
      let part = sums.indices.min { (sums[$0], $0) < (sums[$1], $1) } ?? 0
      parts[part].channels |= 1 << UInt16(channel)
      sums[part] += weights[channel]
    }
    return parts
  }

  private static func tracksOfPort(_ loads: NoteLoads) -> [EnsemblePart] {
    var tracks: [UInt16: (channels: UInt16, weight: Int64)] = [:]
    for (place, load) in loads.nanoseconds {
      tracks[place.track, default: (0, 0)].channels |= 1 << UInt16(place.channel)
      tracks[place.track, default: (0, 0)].weight += load
    }
    let count = min(count(for: loads), max(1, tracks.count))
    var parts = [EnsemblePart](repeating: EnsemblePart(channels: 0, tracks: []), count: count)
    var sums = [Int64](repeating: 0, count: count)
    for (track, need) in tracks.sorted(by: { ($1.value.weight, $0.key) < ($0.value.weight, $1.key) }
    ) {
      var part = sums.indices.filter { parts[$0].channels & need.channels == 0 }
        .min { (sums[$0], $0) < (sums[$1], $1) }
      if part == nil {
        parts.append(EnsemblePart(channels: 0, tracks: []))
        sums.append(0)
        part = parts.count - 1
      }
      guard let part else { continue }
      parts[part].channels |= need.channels
      parts[part].tracks?.insert(track)
      sums[part] += need.weight
    }
    return parts
  }
}
