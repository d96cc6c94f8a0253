// SPDX-License-Identifier: Apache-2.0
import MIDIMessages

/// The ports of tracks that are joined into one, and their port numbers in the joined track.
///
/// A port without a number or a name becomes number 0 if there are several ports. A name cannot
/// replace a number, so names become free numbers if any number is used; the names remain as texts.
struct JoinedPorts {
  /// The current port for a reader of the joined track.
  private var current = PortSegment.Key.none
  /// The selection that is written for each port.
  private let keys: [PortSegment.Key]
  /// True if only one port is joined, so that no number is the same as number 0.
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

  /// Takes an FF 21 or FF 09 event that is written.
  mutating func take(_ record: EventRecord, _ payloads: PayloadStore) {
    current = current.after(record, payloads)
  }

  /// The port to select before an event, or nil if it is already selected.
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
  /// The port numbers of all FF 21 events of the track.
  fileprivate var portNumbersNamed: Set<UInt8> {
    var numbers = Set<UInt8>()
    for record in records where record.isMeta(0x21) {
      if let number = payloads.payload(of: record).first { numbers.insert(number) }
    }
    return numbers
  }

  /// An FF 21 or FF 09 event.
  ///
  /// - Throws: `SequenceError.outOfRange` if payloads do not fit.
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
