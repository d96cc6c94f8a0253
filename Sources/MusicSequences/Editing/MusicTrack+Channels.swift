// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

extension MusicTrack {
  /// Splits the track into one track for each channel, in order, and one for the remaining events.
  ///
  /// The track of a channel receives the channel's events that begin in the range, and the meta
  /// events that a channel prefix (FF 20) assigns to the channel. A note that begins in the range
  /// is moved completely, even if it ends later. All other events are in the last track, which is
  /// omitted if it would be empty. Port numbers and device names (FF 21, FF 09) are repeated in
  /// every track, because each track needs its port.
  ///
  /// All tracks have the settings and the explicit length of this track. If this track loops, all
  /// have its length, so that the loops stay together. `init(joining:)` is the inverse, except for
  /// the order of events of different channels at one tick.
  ///
  /// - Parameter range: The ticks, half open.
  /// - Returns: The tracks; only this track if the range does not contain channel events.
  /// - Throws: `SequenceError.outOfRange` if payloads do not fit.
  /// - Complexity: O(n).
  public func splitByChannel(
    in range: Range<Tick> = .allTicks
  ) throws(SequenceError) -> [MusicTrack] {
    let indices = records.indices(in: EditSpan(range, length: Tick(.max)))
    let used = channels(in: indices)
    guard !used.isEmpty else { return [self] }
    let parts = partition(indices, among: used)
    var tracks: [MusicTrack] = []
    for indices in used.map({ parts[Int($0)] }) + [parts[16]] where !indices.isEmpty {
      tracks.append(try part(of: records.selecting(indices)))
    }
    return tracks
  }

  /// The record indices of each channel; element 16 has the rest, and is empty if these are only
  /// ports.
  private func partition(_ indices: Range<Int>, among used: [UInt8]) -> [[Int]] {
    var parts = [[Int]](repeating: [], count: 17)
    var restIsPorts = true
    var prefix: UInt8?
    for (index, record) in records.all.enumerated() {
      if record.isChannelMessage { prefix = nil }
      if record.isMeta(0x20) { prefix = prefixedChannel(record, used) }
      let owner = record.isChannelMessage ? record.status & 0x0F : prefix
      if record.isPort {
        for channel in used + [16] { parts[Int(channel)].append(index) }
      } else if let owner, indices.contains(index) {
        parts[Int(owner)].append(index)
      } else {
        parts[16].append(index)
        restIsPorts = false
      }
    }
    if restIsPorts { parts[16] = [] }
    return parts
  }

  private func channels(in indices: Range<Int>) -> [UInt8] {
    var found: UInt16 = 0
    for record in records.records(in: indices) where record.isChannelMessage {
      found |= 1 << UInt16(record.status & 0x0F)
    }
    return (0..<16).filter { found >> UInt16($0) & 1 != 0 }
  }

  /// The channel that a prefix names, or nil if that channel does not get a track.
  private func prefixedChannel(_ record: EventRecord, _ used: [UInt8]) -> UInt8? {
    guard let channel = payloads.payload(of: record).first, used.contains(channel) else {
      return nil
    }
    return channel
  }

  /// A track with some of this track's records, its settings and its length.
  func part(of records: [EventRecord]) throws(SequenceError) -> MusicTrack {
    var part = MusicTrack()
    var own: [EventRecord] = []
    for record in records { own.append(try part.adopt(record, from: self)) }
    part.records = RecordList(inOrder: own)
    part.settings = settings
    // A loop counts back from the end, which must be the same in all parts.
    part.explicitLength = settings.loop == nil ? explicitLength : length
    return part
  }

  /// Creates a track that holds the events of several tracks.
  ///
  /// Events at one tick have the order in which they are sent (`SequenceCursor`), so the track
  /// sounds like the separate tracks. It has the settings of the first track and the longest
  /// explicit length. If several tracks select the same port or device at the same tick, the
  /// selection is stored once. If the port changes between two events, a port number (FF 21) or a
  /// device name (FF 09) is added.
  ///
  /// - Throws: `SequenceError.outOfRange` if payloads do not fit.
  /// - Complexity: O(n log n) in the events of all tracks.
  public init(joining tracks: [MusicTrack]) throws(SequenceError) {
    try self.init(joining: tracks, ports: nil)
  }

  init(joining tracks: [MusicTrack], ports order: PortOrder?) throws(SequenceError) {
    self.init()
    guard let first = tracks.first else { return }
    if tracks.count == 1 {
      (records, payloads) = (first.records, first.payloads)
    } else {
      self = try TrackJoin.join(tracks, ports: order)
    }
    settings = first.settings
    explicitLength = tracks.compactMap(\.explicitLength).max()
  }

  /// The tick, type and content of a port number or device name, as a key.
  func portKey(_ record: EventRecord) -> [UInt8] {
    let tick = [40, 32, 24, 16, 8, 0].map { UInt8(truncatingIfNeeded: record.tick >> $0) }
    return tick + [record.data1] + payloads.payload(of: record)
  }

  /// Removes the events that begin in a range, and returns them as a track.
  ///
  /// Port numbers and device names are kept in both parts.
  ///
  /// - Throws: `SequenceError.outOfRange` if payloads do not fit.
  mutating func extract(_ range: Range<Tick>) throws(SequenceError) -> MusicTrack {
    let indices = records.indices(in: EditSpan(range, length: Tick(.max)))
    var taken = MusicTrack()
    taken.payloads = payloads
    let before = records.records(in: 0..<indices.lowerBound)
    let own = records.records(in: indices)
    var key = PortSegment.Key.none
    for record in before where record.isPort { key = key.after(record, payloads) }
    var stated: [EventRecord] = []
    if key != .none, let first = own.first {
      stated.append(try taken.record(of: key, at: first.tick))
    }
    taken.records = RecordList(inOrder: stated + own)
    if !indices.isEmpty {
      let isLast = indices.upperBound == records.count
      setRecords(records.replacing(indices, with: isLast ? [] : own.filter(\.isPort)))
    }
    return taken
  }
}

extension EventRecord {
  /// True if the event selects the port or the device that plays the track.
  var isPort: Bool { isMeta(0x21) || isMeta(0x09) }
}
