// SPDX-License-Identifier: Apache-2.0

/// A run of a track's events with the same port.
struct PortSegment: Hashable, Sendable {
  /// The index of its first event in the track.
  var start = 0
  /// The selection of the port.
  var key = Key.none
  /// True if it contains an event for a device: a channel message, a SysEx message or a packet.
  var isUsed = false
  /// True if it contains a note.
  var hasNotes = false

  /// The selection of a port.
  enum Key: Hashable, Sendable {
    case none
    /// FF 21.
    case number(UInt8)
    /// FF 09.
    case device([UInt8])

    /// The same selection, or port number 0 for `none`.
    var orFirst: Key { self == .none ? .number(0) : self }

    /// The same selection as `SequenceFeatures` names it; nil for `none`.
    var name: SequenceFeatures.Port? {
      switch self {
      case .none: nil
      case .number(let number): .number(number)
      case .device(let bytes): .device(MetaText(bytes))
      }
    }

    /// The selection after a meta event.
    ///
    /// A port number takes precedence over a name.
    func after(_ record: EventRecord, _ payloads: PayloadStore) -> Key {
      if record.isMeta(0x21) {
        return payloads.payload(of: record).first.map { .number($0) } ?? self
      }
      if case .number = self { return self }
      let name = Array(payloads.payload(of: record))
      return name.isEmpty ? self : .device(name)
    }
  }

  /// Records the use of the segment by an event.
  mutating func take(_ record: EventRecord) {
    isUsed = isUsed || record.isForDevice
    hasNotes = hasNotes || record.isNote
  }
}

extension MusicTrack {
  /// The runs of events with the same port; at least one.
  ///
  /// - Complexity: O(n).
  var portSegments: [PortSegment] {
    var segments = [PortSegment()]
    // Most events do not change anything, so the last run's state is kept in a local variable.
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
  /// Begins a run, or changes the selection of the last run if it does not contain an event for a
  /// device.
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
  /// True for an event that is sent to a device: a channel message, a SysEx message or a packet.
  var isForDevice: Bool {
    isChannelMessage || status == Self.sysEx || status == Self.packet
  }
}
