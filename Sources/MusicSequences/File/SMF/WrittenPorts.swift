// SPDX-License-Identifier: Apache-2.0

/// Keeps track of ports while a track is written, so that note-offs are read on the ports of their
/// notes.
///
/// A note can end after its track has changed to another port. Then the note's port is selected
/// before the note-off, and the other port again before the next event. In a track that uses both
/// port numbers and device names nothing is added, because a port number overrides names from then
/// on, and "no port" cannot be selected.
struct WrittenPorts {
  /// The port that the track's events select; `readKey` is the port that a reader would use.
  private var ownKey = PortSegment.Key.none
  private var readKey = PortSegment.Key.none
  /// The numbers of the same two ports.
  private var own: Int32 = 0
  private var read: Int32 = 0
  /// The ports by number; 0 for no port and for port number 0.
  private var keys: [PortSegment.Key] = [.number(0)]
  private var numbers: [PortSegment.Key: Int32] = [.number(0): 0]
  /// True for the kinds of selection that the track uses; nil before the first.
  private var kinds: (numbers: Bool, names: Bool)?

  /// Takes an FF 21 or FF 09 event of the track.
  mutating func take(_ record: EventRecord, of track: MusicTrack) {
    if kinds == nil { kinds = Self.kinds(of: track) }
    ownKey = ownKey.after(record, track.payloads)
    readKey = readKey.after(record, track.payloads)
    (own, read) = (number(of: ownKey), number(of: readKey))
  }

  private static func kinds(of track: MusicTrack) -> (numbers: Bool, names: Bool) {
    var kinds = (numbers: false, names: false)
    for segment in track.portSegments {
      switch segment.key {
      case .none: continue
      case .number: kinds.numbers = true
      case .device: kinds.names = true
      }
    }
    return kinds
  }

  private mutating func number(of key: PortSegment.Key) -> Int32 {
    if let known = numbers[key.orFirst] { return known }
    let number = Int32(truncatingIfNeeded: keys.count)
    numbers[key.orFirst] = number
    keys.append(key)
    return number
  }

  /// The number of the port of a note that is written now.
  var number: Int32 { own }

  /// The port to select before the note-off of a note, or nil if it is already selected.
  ///
  /// - Parameter number: The number of the note's port.
  /// - Returns: The port for FF 21 or FF 09.
  @inline(__always)
  mutating func change(to number: Int32) -> PortSegment.Key? {
    number == read ? nil : write(number)
  }

  /// The port to select before an event of the track, or nil if it is already selected.
  ///
  /// - Returns: The port for FF 21 or FF 09.
  @inline(__always)
  mutating func restore() -> PortSegment.Key? { change(to: own) }

  @inline(never)
  private mutating func write(_ number: Int32) -> PortSegment.Key? {
    guard let kinds else { return nil }
    if case .device = keys[Int(number)] {
      guard !kinds.numbers else { return nil }
    } else {
      guard !kinds.names else { return nil }
    }
    (read, readKey) = (number, keys[Int(number)])
    return readKey
  }
}
