// SPDX-License-Identifier: Apache-2.0

/// A run of a track's events that ask for the same port.
struct PortSegment: Hashable, Sendable {
  /// The index of its first event in the track.
  var start = 0
  /// What it asks for.
  var key = Key.none
  /// Whether it has an event for a device: a channel message, a SysEx message or a packet.
  var isUsed = false
  /// Whether it has a note.
  var hasNotes = false

  /// What events ask for a port by.
  enum Key: Hashable, Sendable {
    case none
    /// FF 21.
    case number(UInt8)
    /// FF 09.
    case device([UInt8])

    /// The same, or number 0 for none.
    var orFirst: Key { self == .none ? .number(0) : self }

    /// As a song's features name it; nil for none.
    var name: SequenceFeatures.Port? {
      switch self {
      case .none: nil
      case .number(let number): .number(number)
      case .device(let bytes): .device(MetaText(bytes))
      }
    }

    /// What events ask for after a meta event: a number counts more than a name.
    func after(_ record: EventRecord, _ payloads: PayloadStore) -> Key {
      if record.isMeta(0x21) {
        return payloads.payload(of: record).first.map { .number($0) } ?? self
      }
      if case .number = self { return self }
      let name = Array(payloads.payload(of: record))
      return name.isEmpty ? self : .device(name)
    }
  }

  /// Notes an event of the run.
  mutating func take(_ record: EventRecord) {
    isUsed = isUsed || record.isForDevice
    hasNotes = hasNotes || record.isNote
  }
}

extension MusicTrack {
  /// The runs of events that ask for the same port: one at least.
  ///
  /// - Complexity: O(n).
  var portSegments: [PortSegment] {
    var segments = [PortSegment()]
    // Most events tell nothing new: whether the last run has a note is kept at hand.
    var (index, hasNotes) = (0, false)
    for chunk in records.chunks {
      for record in chunk {
        if record.isPort {
          let key = segments[segments.count - 1].key.after(record, payloads)
          segments.begin(key, at: index)
          hasNotes = segments[segments.count - 1].hasNotes
        } else if !hasNotes {
          segments[segments.count - 1].take(record)
          hasNotes = record.isNote
        }
        index += 1
      }
    }
    return segments
  }
}

extension [PortSegment] {
  /// Begins a run, or changes what the last one asks for if it has no event for a device.
  fileprivate mutating func begin(_ key: PortSegment.Key, at index: Int) {
    guard self[count - 1].key != key else { return }
    guard self[count - 1].isUsed else {
      self[count - 1].key = key
      return
    }
    append(PortSegment(start: index, key: key))
  }
}

extension EventRecord {
  /// Whether it goes to a device: a channel message, a SysEx message or a packet.
  var isForDevice: Bool {
    isChannelMessage || status == Self.sysEx || status == Self.packet
  }
}
