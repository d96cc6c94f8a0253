// SPDX-License-Identifier: Apache-2.0

/// The content of one track chunk: its events, its tempo track events (such as tempo and meter),
/// and its repairs.
public struct ParsedTrack: Sendable {
  var records = RecordList()
  var payloads = PayloadStore()
  var conductor: [EventRecord] = []
  var conductorPayloads = PayloadStore()
  var log = RepairLog(limit: RepairLog.trackLimit)
  var settings: TrackSettingsBox?
  var endTick: UInt64 = 0
  var sawEndOfTrack = true
  /// The number of notes without a note-off in the track; `loneReleases` counts note-offs without a
  /// note.
  var openNotes = 0
  var loneReleases = 0
  /// The writer's setting that reproduces the bytes: with or without running status; nil if neither
  /// does.
  var usesRunningStatus: Bool?

  init() {}

  /// Takes the results of a parser, and reports bytes that are left over.
  init(_ parser: consuming TrackParser, end: Int) {
    if parser.sawEndOfTrack {
      if parser.position < end { parser.note(.bytesAfterEndOfTrack, value: end - parser.position) }
    } else if !parser.isFinished {
      parser.note(.missingEndOfTrack)
    }
    endTick = parser.tick
    sawEndOfTrack = parser.sawEndOfTrack
    openNotes = parser.openNotes
    loneReleases = parser.loneReleases
    unsafe append(UnsafeBufferPointer(start: parser.records, count: parser.count))
    payloads = parser.payloads
    conductor = parser.conductor
    conductorPayloads = parser.conductorPayloads
    settings = parser.settings.map(TrackSettingsBox.init)
    log = parser.log
    usesRunningStatus = parser.style.usesRunningStatus
  }

  private mutating func append(_ all: UnsafeBufferPointer<EventRecord>) {
    var start = 0
    while start < all.count {
      let end = min(start + RecordList.chunkCapacity, all.count)
      records.append(chunk: unsafe Array(all[start..<end]))
      start = end
    }
  }
}
