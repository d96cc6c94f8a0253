// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

extension MusicTrack {
  /// The most events that a written-out loop may have, because a loop can repeat without limit.
  static let writtenEventLimit = 1 << 24

  /// Replaces the loop by its passes, written out as events.
  ///
  /// The track sounds the same. Setup events (name, ports, settings) are not repeated. Notes that
  /// extend past the end of a pass keep their durations. The end of the last pass becomes the
  /// length.
  ///
  /// - Parameter end: The end of the track, in the track's ticks without its offset; repeated
  ///   events at or after it are left out. Nil for the end of the last pass.
  /// - Throws: `SequenceError.outOfRange` if the loop is endless and `end` is nil, or if more than
  ///   2²⁴ events would result.
  /// - Complexity: O(n) in the number of resulting events.
  public mutating func writeOutLoop(until end: Tick? = nil) throws(SequenceError) {
    guard let loop = settings.loop else { return }
    guard loop.count > 0 || end != nil else {
      throw .outOfRange("an endless loop cannot be written out without an end")
    }
    let limit = try end.map(Self.checked) ?? .max
    let length = UInt64(self.length.value)
    var unshifted = self
    unshifted.settings.offset = 0
    var written: [EventRecord] = []
    var reading = TrackReading(playing: unshifted, from: 0)
    var count = 0
    while let record = reading.record, record.tick < max(limit, length) {
      if record.tick < length || !isSetUpOnce(record) { written.append(record) }
      count += 1
      guard count <= Self.writtenEventLimit else {
        throw .outOfRange("the written-out loop exceeds \(Self.writtenEventLimit) events")
      }
      reading.advance()
    }
    let passes = UInt64(max(loop.count, 1) - 1)
    let (added, isTooLong) = UInt64(min(loop.length, Int64(length)))
      .multipliedReportingOverflow(by: passes)
    let whole = isTooLong ? UInt64.max : length &+ added
    var copy = self
    copy.settings.loop = nil
    copy.setRecords(RecordList(inOrder: written))
    let wanted = loop.count == 0 ? limit : min(max(limit, length), max(whole, length))
    copy.explicitLength = Tick(Int64(min(max(wanted, length), EventRecord.maximumTick)))
    self = copy
  }

  /// True if the event names the track, its port or its settings.
  private func isSetUpOnce(_ record: EventRecord) -> Bool {
    guard record.status == EventRecord.meta else { return false }
    return [0x00, 0x03, 0x04, 0x09, 0x20, 0x21, 0x54].contains(record.data1)
  }
}

extension MusicSequence {
  /// Replaces the loops of tracks by their passes, written out as events.
  ///
  /// - Parameters:
  ///   - end: The end of endless loops, in ticks of the sequence; nil for the end of the longest
  ///     track that does not loop endlessly.
  ///   - scope: The tracks to edit.
  /// - Throws: The errors of `MusicTrack.writeOutLoop`; the sequence is then unchanged.
  /// - Complexity: O(n) in the number of resulting events.
  public mutating func writeOutLoops(
    until end: Tick? = nil, in scope: EditScope = .music
  ) throws(SequenceError) {
    let indices = try indices(in: scope)
    var copy = self
    let ports = TrackPorts(self)
    let endless = indices.filter { tracks[$0].settings.loop?.count == 0 }
    for index in indices where !endless.contains(index) {
      try copy.edit(track: index, ports) { track, _ throws(SequenceError) in
        try track.writeOutLoop()
      }
    }
    let ends = copy.tracks.indices.filter { !endless.contains($0) }
      .map { copy.tracks[$0].length.value + copy.tracks[$0].settings.offset }
    let others = [Tick(ends.max() ?? 0), copy.tempoTrack.length].max() ?? .zero
    guard endless.isEmpty || end != nil || others > .zero else {
      throw .outOfRange("all tracks loop endlessly (set an end)")
    }
    for index in endless {
      let offset = copy.tracks[index].settings.offset
      let limit = Tick(max(0, (end ?? others).value - offset))
      try copy.edit(track: index, ports) { track, _ throws(SequenceError) in
        try track.writeOutLoop(until: limit)
      }
    }
    self = copy
  }
}
