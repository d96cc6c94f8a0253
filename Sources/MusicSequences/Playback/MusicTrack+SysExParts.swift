// SPDX-License-Identifier: Apache-2.0
package import MIDIMessages
internal import MusicalTime

extension MusicTrack {
  /// The part of a SysEx message in packets that is sent with an event.
  ///
  /// The track must be from `withWholeSysEx`, in which the last packet has the complete message.
  ///
  /// - Parameter index: The event's index in the track.
  /// - Returns: The bytes without F0 and F7; nil if the event does not send a part.
  /// - Complexity: O(log n).
  package func sysExPart(at index: Int) -> (bytes: PayloadRange, part: SysExPart)? {
    let record = records[index]
    guard record.hasPart else { return nil }
    let range = payloads.range(at: record.extent)
    if payloads[range].last == 0xF7 {
      // The new part of the complete message, without its F7.
      let count = min(UInt32(record.partLength), range.count)
      return (PayloadRange(offset: range.offset + range.count - count, count: count - 1), .last)
    }
    guard payloads[range].first == 0xF0 else { return (range, .middle) }
    return (PayloadRange(offset: range.offset + 1, count: range.count - 1), .first)
  }

  /// True if a SysEx message is sent in parts.
  ///
  /// - Complexity: O(n).
  package var hasSysExParts: Bool {
    !payloads.bytes.isEmpty
      && records.chunks.contains { $0.contains(where: \.hasPart) }
  }
}

extension MusicSequence {
  /// The sequence with interrupted SysEx messages sent as a whole.
  ///
  /// A message is sent in parts only if the song does not send other events between them, because a
  /// status byte between two packets would end the message. Other messages are sent as a whole,
  /// with the last packet.
  ///
  /// - Complexity: O(n) if there are packets.
  package var withUndisturbedParts: MusicSequence {
    guard tracks.contains(where: \.hasSysExParts) else { return self }
    var result = self
    for place in disturbedParts { result.tracks[place.track].records[place.index].partLength = 0 }
    return result
  }

  private typealias Place = (track: Int, index: Int)

  /// The positions of the parts of messages that another message interrupts.
  private var disturbedParts: [Place] {
    var (disturbed, open): ([Place], [Place]) = ([], [])
    var isDisturbed = false
    var sequence = self
    for index in tracks.indices { sequence.tracks[index].settings.loop = nil }
    var cursor = SequenceCursor(playing: sequence)
    while let event = cursor.next(before: Tick(.max)) {
      let place = (track: Int(event.track), index: Int(event.index))
      guard let part = sequence.part(of: event) else {
        if !open.isEmpty, sequence.isSent(event) { isDisturbed = true }
        continue
      }
      let isNext = part == .first ? open.isEmpty : open.last?.track == place.track
      if !isNext { isDisturbed = true }
      open.append(place)
      guard part == .last else { continue }
      if isDisturbed { disturbed += open }
      (open, isDisturbed) = ([], false)
    }
    return disturbed
  }

  private func part(of event: CursorEvent) -> SysExPart? {
    switch event.kind {
    case .sysEx, .packet: tracks[Int(event.track)].sysExPart(at: Int(event.index))?.part
    case .message, .meta, .parameter, .user: nil
    }
  }

  /// True if an event would end a SysEx message that is being sent.
  private func isSent(_ event: CursorEvent) -> Bool {
    switch event.kind {
    case .message, .sysEx: true
    case .packet(let place):
      // Escapes that contain only real-time messages are allowed between parts.
      tracks[Int(event.track)].payloads[place].contains { (0x80..<0xF8).contains($0) }
    case .meta, .parameter, .user: false
    }
  }
}

extension EventRecord {
  /// The number of bytes in the last packet, including F7, in each packet of a message that is sent
  /// in parts.
  ///
  /// 0 for other records. It is stored in the bytes that are data bytes of other events.
  fileprivate(set) var partLength: Int {
    get { Int(data1) | Int(data2) << 8 | Int(releaseVelocity) << 16 }
    set {
      data1 = UInt8(truncatingIfNeeded: newValue)
      data2 = UInt8(truncatingIfNeeded: newValue >> 8)
      releaseVelocity = UInt8(truncatingIfNeeded: newValue >> 16)
    }
  }

  fileprivate var hasPart: Bool {
    (status == Self.sysEx || status == Self.packet) && partLength > 0
  }
}

extension [EventRecord] {
  /// Marks the packets of a message, unless the last packet is too long to store its length.
  mutating func markParts(_ places: [Int], endingWith count: Int) {
    guard count < 1 << 24 else { return }
    for place in places { self[place].partLength = count }
  }
}
