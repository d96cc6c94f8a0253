// SPDX-License-Identifier: Apache-2.0

/// The port in force while a track is written, so that a note-off is read on the port of its note.
///
/// A note may end where its track has gone on to another port: there the note's port is named before the
/// note-off, and the other one again before the next event. In a track with numbers and names nothing is
/// added, since a number takes over for good; nor is there a name for what asks for no port.
struct WrittenPorts {
  /// What the track's own events ask for, and what a reader takes for the port in force.
  private var ownKey = PortSegment.Key.none
  private var readKey = PortSegment.Key.none
  /// The same by number.
  private var own: Int32 = 0
  private var read: Int32 = 0
  /// What is asked for, by number; 0 for no port and for port number 0.
  private var keys: [PortSegment.Key] = [.number(0)]
  private var numbers: [PortSegment.Key: Int32] = [.number(0): 0]
  /// Whether the track's ports have numbers, and whether they have names; nil until the first.
  private var kinds: (numbers: Bool, names: Bool)?

  /// Takes an event of FF 21 or FF 09 of the track.
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

  /// What must be written before the note-off of a note; nil for nothing.
  ///
  /// - Parameter number: the number of the note's port.
  /// - Returns: what FF 21 or FF 09 is to name.
  @inline(__always)
  mutating func change(to number: Int32) -> PortSegment.Key? {
    number == read ? nil : write(number)
  }

  /// What must be written before an event of the track; nil for nothing.
  ///
  /// - Returns: what FF 21 or FF 09 is to name.
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
