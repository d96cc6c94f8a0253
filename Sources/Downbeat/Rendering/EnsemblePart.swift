// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages

/// What one of several instruments plays of a song.
///
/// It depends on the song alone, so that the same song gives the same bytes on every machine.
struct EnsemblePart: Hashable {
  /// From so many notes at once, in the mean, the work is worth another instrument: each has
  /// effects of its own, which cost as much as ten voices.
  private static let thresholds = [8.0, 100, 150]

  /// The channels: bit n is channel index n.
  var channels: UInt16
  /// The tracks whose notes it plays, of all that use its channels; nil for every track.
  var tracks: Set<UInt16>?
  /// The port that it plays, counted from 0; nil for every port.
  var port: UInt8?

  /// Whether it plays an event.
  func plays(_ event: TimedEvent) -> Bool {
    guard port == nil || port == event.port else { return false }
    guard case .message(let message) = event.payload else { return true }
    return filter(forTrack: event.track).passes(message)
  }

  /// What of a track reaches it: programs and controllers of all tracks, notes of its own.
  func filter(forTrack track: UInt16) -> MessageFilter {
    let isOwn = tracks?.contains(track) ?? true
    let others = MessageFilter.Kinds.all.subtracting([.notes, .keyPressure])
    return MessageFilter(kinds: isOwn ? .all : others, channels: channels)
  }

  /// How many instruments a song is worth.
  private static func count(for loads: NoteLoads) -> Int {
    1 + thresholds.filter { loads.density >= $0 }.count
  }

  /// The parts of each port, which is shared out as if it were alone; one part at least.
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

  /// Shares out channels, port by port.
  static func byChannel(_ loads: NoteLoads) -> [EnsemblePart] {
    byPort(loads, channelsOfPort)
  }

  /// Shares out tracks, port by port, so that no two that share a channel are in one part.
  static func byTrack(_ loads: NoteLoads) -> [EnsemblePart] {
    byPort(loads, tracksOfPort)
  }

  /// Shares out channels: the heaviest goes to the part that has least, and so on.
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
