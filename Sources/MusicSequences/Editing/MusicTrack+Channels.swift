// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

extension MusicTrack {
  /// The track as one track for each channel, in order of channel, and a last one for the rest.
  ///
  /// The channel tracks hold the channel events that begin in the range (a note is taken whole,
  /// wherever it ends) and the meta events that a channel prefix (FF 20) assigns to the channel.
  /// Everything else, with all that lies outside the range, goes into the last track, which is left
  /// out where it would be empty. Ports and devices (FF 21, FF 09) are repeated in every track,
  /// since they say where its events go. All tracks have the explicit length and the settings of
  /// this one; where this one loops, all have its length, so that the loops agree. `init(joining:)`
  /// is the inverse, except for the order of events of different channels at one tick.
  ///
  /// - Parameter range: Half open.
  /// - Returns: The tracks; this one alone where it has no channel events in the range.
  /// - Throws: `SequenceError.outOfRange` where payloads do not fit.
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

  /// The indices of each channel's records, and at 16 the rest, which is empty if it is only ports.
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

  /// The channel that a prefix names, where that channel has a track.
  private func prefixedChannel(_ record: EventRecord, _ used: [UInt8]) -> UInt8? {
    guard let channel = payloads.payload(of: record).first, used.contains(channel) else {
      return nil
    }
    return channel
  }

  /// A track of some of this one's records, with its settings and its length.
  func part(of records: [EventRecord]) throws(SequenceError) -> MusicTrack {
    var part = MusicTrack()
    var own: [EventRecord] = []
    for record in records { own.append(try part.adopt(record, from: self)) }
    part.records = RecordList(inOrder: own)
    part.settings = settings
    // A loop counts from the end, which is to be the same in all parts.
    part.explicitLength = settings.loop == nil ? explicitLength : length
    return part
  }

  /// Creates a track that holds the events of several tracks.
  ///
  /// At one tick the events come in the order in which they are sent (`SequenceCursor`), so the
  /// track plays as the tracks do. The settings are those of the first track; the explicit length
  /// is the longest that any of them has. A port or device that an earlier track names at the same
  /// tick is not repeated; where the port changes between two events, a port number (FF 21) or a device
  /// name (FF 09) is added.
  ///
  /// - Throws: `SequenceError.outOfRange` where payloads do not fit.
  /// - Complexity: O(n log n) in all events.
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

  /// Tick, type and content of a port or device name.
  func portKey(_ record: EventRecord) -> [UInt8] {
    let tick = [40, 32, 24, 16, 8, 0].map { UInt8(truncatingIfNeeded: record.tick >> $0) }
    return tick + [record.data1] + payloads.payload(of: record)
  }

  /// Takes the events that begin in a range out of the track.
  ///
  /// Both parts say on which port their events are.
  ///
  /// - Throws: `SequenceError.outOfRange` where payloads do not fit.
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
  /// Whether the event names the port or the device that plays the track.
  var isPort: Bool { isMeta(0x21) || isMeta(0x09) }
}
