// SPDX-License-Identifier: Apache-2.0

/// Which tracks speak to the same sixteen channels: those with the same destination, or else the
/// same port number.
struct TrackPorts: Sendable {
  /// For each track its port, counted from 0 in order of first use.
  let ports: [Int]
  /// For each port the first track that goes there.
  let firstTracks: [Int]
  private let keys: [Key]

  init(_ sequence: MusicSequence) {
    var known: [Key: Int] = [:]
    var firstTracks: [Int] = []
    var keys: [Key] = []
    let numbers = sequence.portNumbers
    ports = sequence.tracks.enumerated().map { index, track in
      let key = Key(destination: track.settings.destination, number: numbers[index])
      if let port = known[key] { return port }
      known[key] = firstTracks.count
      firstTracks.append(index)
      keys.append(key)
      return firstTracks.count - 1
    }
    self.firstTracks = firstTracks
    self.keys = keys
  }

  /// The port that is one of another sequence's ports; nil if there is none.
  ///
  /// Tracks that ask for no port, and those that ask for the first one, go to the same place.
  func place(like other: TrackPorts, _ port: Int) -> Int? {
    let key = other.keys[port]
    return keys.firstIndex(of: key)
      ?? keys.firstIndex { $0.destination == key.destination && $0.number ?? 0 == key.number ?? 0 }
  }

  private struct Key: Hashable {
    let destination: String?
    let number: Int?
  }
}

extension MusicSequence {
  /// For each track the number of the port it asks for, counted from 0; nil for none.
  ///
  /// A track asks by a number (meta 33), or by the name of a device (meta 9): names count in the
  /// order in which they appear.
  ///
  /// - Complexity: O(n) in the events of tracks that ask for no number.
  public var portNumbers: [Int?] {
    var names: [[UInt8]: Int] = [:]
    return tracks.map { track in
      if let number = track.portNumber { return Int(number) }
      guard let name = track.firstText(.deviceName) else { return nil }
      if let known = names[name] { return known }
      names[name] = names.count
      return names.count - 1
    }
  }
}

extension MusicTrack {
  /// The port the track asks for by its first port meta (type 33), 0…127; nil for none.
  ///
  /// - Complexity: O(n) where there is none among the events of its first tick.
  public var portNumber: UInt8? {
    let start = records.first?.tick
    for record in records {
      guard record.tick == start else { return nil }
      guard record.isMeta(0x21) else { continue }
      return payloads.payload(of: record).first
    }
    return nil
  }
}
