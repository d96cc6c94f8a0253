// SPDX-License-Identifier: Apache-2.0
import MIDIMessages

/// The ports of tracks that are joined into one, and what the joined track says of them.
///
/// A port without a number or a name is number 0 if there are several. A name cannot take over
/// from a number, so names become free numbers if any number is used; the names stay as texts.
struct JoinedPorts {
  /// What a reader of the joined track takes for the port in force.
  private var current = PortSegment.Key.none
  /// What is written for each port.
  private let keys: [PortSegment.Key]
  /// Whether one port is joined, so that no number, and number 0, are the same.
  private let isOnlyOne: Bool

  init(_ tracks: [MusicTrack], _ ports: TrackPorts) {
    let used = Set(tracks.indices.flatMap { ports.ports(of: $0) })
    let all = ports.order.keys
    isOnlyOne = used.count == 1
    var numbers = Set<UInt8>()
    for key in all { if case .number(let number) = key { numbers.insert(number) } }
    for track in tracks { numbers.formUnion(track.portNumbersNamed) }
    let hasNone = used.contains(0) && all.first == PortSegment.Key.none
    let isByNumber = !numbers.isEmpty || hasNone && used.count > 1
    if hasNone { numbers.insert(0) }
    keys = all.enumerated().map { port, key in
      guard isByNumber, used.contains(port), case .device = key else { return key }
      let wanted = ports.order.number(of: key).flatMap { UInt8(exactly: $0) } ?? 0
      let free = ([wanted] + (0...127)).first { $0 < 128 && !numbers.contains($0) }
      guard let free else { return key }
      numbers.insert(free)
      return .number(free)
    }
  }

  /// Takes an event of FF 21 or FF 09 that is written.
  mutating func take(_ record: EventRecord, _ payloads: PayloadStore) {
    current = current.after(record, payloads)
  }

  /// What must be written before an event of a port; nil if the port is in force.
  mutating func change(to port: Int) -> PortSegment.Key? {
    guard keys.indices.contains(port) else { return nil }
    let wanted = isOnlyOne ? keys[port] : keys[port].orFirst
    if wanted == current { return nil }
    if isOnlyOne, wanted.orFirst == .number(0), current.orFirst == .number(0) { return nil }
    current = wanted.orFirst
    return current
  }
}

extension MusicTrack {
  /// The numbers of all FF 21 of the track.
  fileprivate var portNumbersNamed: Set<UInt8> {
    var numbers = Set<UInt8>()
    for record in records where record.isMeta(0x21) {
      if let number = payloads.payload(of: record).first { numbers.insert(number) }
    }
    return numbers
  }

  /// A record of FF 21 or FF 09.
  ///
  /// - Throws: `SequenceError.outOfRange` where payloads do not fit.
  mutating func record(
    of key: PortSegment.Key, at tick: UInt64
  ) throws(SequenceError) -> EventRecord {
    let (type, bytes): (UInt8, [UInt8]) =
      switch key {
      case .none: (0x21, [0])
      case .number(let number): (0x21, [number])
      case .device(let name): (0x09, name)
      }
    guard let offset = payloads.append(bytes) else {
      throw .outOfRange("the track has more than \(PayloadStore.capacity) payload bytes")
    }
    return EventRecord(tick: tick, status: EventRecord.meta, data1: type, extent: offset)
  }
}
