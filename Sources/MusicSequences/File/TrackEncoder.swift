// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicalTime

/// Writes one track's events: note-offs are brought in where they are due.
struct TrackEncoder {
  private static let longestDelta: UInt64 = 0x0FFF_FFFF

  private let usesRunningStatus: Bool
  private var tick: UInt64 = 0
  private var running: UInt8 = 0
  private var started: UInt64 = 0
  private var releases = Heap<PendingRelease>(capacity: 128, by: <)

  init(usesRunningStatus: Bool) {
    self.usesRunningStatus = usesRunningStatus
  }

  /// Appends all events and the end of track; tempo events come before what else their tick has.
  mutating func encode(
    _ track: MusicTrack, conductor: [(record: EventRecord, payload: ArraySlice<UInt8>)],
    into out: inout OutputBytes
  ) {
    var conductor = conductor[...]
    for payload in track.settings.metaPayloads {
      append(status: EventRecord.meta, type: 0x7F, payload[...], at: 0, into: &out)
    }
    for chunk in track.records.chunks {
      for record in chunk where !track.isSettingsMeta(record) {
        while let first = conductor.first, first.record.tick <= record.tick {
          append(first.record, payload: first.payload, into: &out)
          conductor.removeFirst()
        }
        append(record, of: track, into: &out)
      }
    }
    for event in conductor { append(event.record, payload: event.payload, into: &out) }
    flushReleases(through: .max, into: &out)
    let end = max(tick, UInt64(max(0, track.explicitLength?.value ?? 0)))
    append(status: EventRecord.meta, type: 0x2F, [], at: end, into: &out)
  }

  private mutating func append(
    _ record: EventRecord, of track: MusicTrack, into out: inout OutputBytes
  ) {
    guard !record.hasPayload else {
      append(record, payload: track.payloads.payload(of: record), into: &out)
      return
    }
    flushReleases(through: record.tick, into: &out)
    append(Message(loneRelease: record), at: record.tick, into: &out)
    guard record.isNote else { return }
    started += 1
    releases.insert(
      PendingRelease(
        tick: record.endTick, order: started, track: 0, index: 0, message: record.releaseMessage))
  }

  private mutating func append(
    _ record: EventRecord, payload: ArraySlice<UInt8>, into out: inout OutputBytes
  ) {
    flushReleases(through: record.tick, into: &out)
    switch record.status {
    case EventRecord.user, EventRecord.parameter:
      let prefix = record.status == EventRecord.user ? Keepsake.user : Keepsake.parameter
      append(
        status: EventRecord.meta, type: 0x7F, (prefix + payload)[...], at: record.tick, into: &out)
    default:
      append(status: record.status, type: record.data1, payload, at: record.tick, into: &out)
    }
  }

  private mutating func append(
    status: UInt8, type: UInt8, _ payload: ArraySlice<UInt8>, at tick: UInt64,
    into out: inout OutputBytes
  ) {
    appendDelta(to: tick, into: &out)
    running = 0
    out.append(status)
    if status == EventRecord.meta { out.append(type) }
    out.append(quantity: UInt32(payload.count))
    out.append(contentsOf: payload)
  }

  private mutating func append(_ message: Message, at tick: UInt64, into out: inout OutputBytes) {
    appendDelta(to: tick, into: &out)
    if message.status != running || !usesRunningStatus { out.append(message.status) }
    running = message.status
    out.append(message.data1)
    if message.length == 3 { out.append(message.data2) }
  }

  /// Appends the time since the last event; where four bytes do not hold it, empty texts do.
  private mutating func appendDelta(to tick: UInt64, into out: inout OutputBytes) {
    var delta = tick - self.tick
    while delta > Self.longestDelta {
      out.append(quantity: UInt32(Self.longestDelta))
      out.append(contentsOf: [EventRecord.meta, 0x01, 0x00])
      running = 0
      delta -= Self.longestDelta
    }
    out.append(quantity: UInt32(delta))
    self.tick = tick
  }

  private mutating func flushReleases(through tick: UInt64, into out: inout OutputBytes) {
    while let release = releases.first, release.tick <= tick {
      _ = releases.removeFirst()
      append(release.message, at: release.tick, into: &out)
    }
  }
}
