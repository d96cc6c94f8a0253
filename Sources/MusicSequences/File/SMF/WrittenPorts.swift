// SPDX-License-Identifier: Apache-2.0

/// The port in force while a track is written, so that a note-off is read on the port of its note.
///
/// A note may end where its track has gone on to another port: there the note's port is named before the
/// note-off, and the other one again before the next event. In a track whose ports have names nothing
/// is added, since a number would take over for good.
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
  private var hasNames: Bool?

  /// Takes an event of FF 21 or FF 09 of the track.
  mutating func take(_ record: EventRecord, of track: MusicTrack) {
    if hasNames == nil {
      hasNames = track.portSegments.contains {
        if case .device = $0.key { true } else { false }
      }
    }
    ownKey = ownKey.after(record, track.payloads)
    readKey = readKey.after(record, track.payloads)
    (own, read) = (number(of: ownKey), number(of: readKey))
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
  /// - Returns: FF 21 as a port's key.
  @inline(__always)
  mutating func change(to number: Int32) -> PortSegment.Key? {
    number == read ? nil : write(number)
  }

  /// What must be written before an event of the track; nil for nothing.
  ///
  /// - Returns: FF 21 as a port's key.
  @inline(__always)
  mutating func restore() -> PortSegment.Key? { change(to: own) }

  @inline(never)
  private mutating func write(_ number: Int32) -> PortSegment.Key? {
    guard hasNames == false else { return nil }
    (read, readKey) = (number, keys[Int(number)])
    return readKey
  }
}
