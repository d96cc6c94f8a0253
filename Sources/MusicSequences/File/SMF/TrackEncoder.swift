// SPDX-License-Identifier: Apache-2.0
import MIDIMessages

/// Writes the events of one track, with each note-off at its rank among the events of its tick.
///
/// Note-offs of one rank are written in the order of their notes. A tempo event is written before
/// all other events of its tick.
struct TrackEncoder {
  static let longestDelta: UInt64 = 0x0FFF_FFFF
  /// The most empty texts in a file, 15 MB: enough for two events at the greatest possible
  /// distance.
  static let mostFillers = 1 << 21

  private let usesRunningStatus: Bool
  private var tick: UInt64 = 0
  /// The number of records that were written at the current tick.
  private var written: UInt64 = 0
  private var running: UInt8 = 0
  /// The number of empty texts that are still allowed; negative if more would be needed.
  private(set) var fillersLeft = TrackEncoder.mostFillers
  /// The pending note-offs, in order of `releasePlace`.
  ///
  /// Their `track` is the number of their port.
  private var releases = ReleaseQueue()
  private var ports = WrittenPorts()

  init(usesRunningStatus: Bool, fillersLeft: Int) {
    self.usesRunningStatus = usesRunningStatus
    self.fillersLeft = fillersLeft
  }

  /// Appends all events and the end of track.
  ///
  /// Tempo events precede the other events of their tick.
  mutating func encode(
    _ track: MusicTrack, conductor: [ConductorEvent], into out: inout OutputBytes
  ) {
    var conductor = conductor[...]
    var conductorTick = conductor.first?.record.tick ?? .max
    for payload in track.settings.metaPayloads {
      append(status: EventRecord.meta, type: 0x7F, payload[...], at: 0, into: &out)
    }
    for chunk in track.records.chunks {
      for record in chunk where !track.isSettingsMeta(record) {
        while conductorTick <= record.tick, let first = conductor.popFirst() {
          append(first, into: &out)
          conductorTick = conductor.first?.record.tick ?? .max
        }
        append(record, of: track, into: &out)
      }
    }
    for event in conductor { append(event, into: &out) }
    while let release = releases.removeFirst() { append(release, into: &out) }
    let end = max(tick, track.explicitEnd)
    append(status: EventRecord.meta, type: 0x2F, [], at: end, into: &out)
  }

  private mutating func append(
    _ record: EventRecord, of track: MusicTrack, into out: inout OutputBytes
  ) {
    guard !record.hasPayload else {
      flushReleases(through: place(in: record.tick), into: &out)
      if record.isPort {
        ports.take(record, of: track)
      } else if record.isForDevice {
        append(ports.restore(), at: record.tick, into: &out)
      }
      append(record, payload: track.payloads.payload(of: record), into: &out)
      written += 1
      return
    }
    flushReleases(through: place(in: record.tick), into: &out)
    append(ports.restore(), at: record.tick, into: &out)
    append(Message(loneRelease: record), at: record.tick, into: &out)
    written += 1
    guard record.isNote else { return }
    releases.insert(
      PendingRelease(
        tick: record.releasePlace, track: ports.number, index: 0,
        message: record.releaseMessage))
  }

  /// Appends the event that selects a port, if there is one.
  @inline(__always)
  private mutating func append(
    _ port: PortSegment.Key?, at tick: UInt64, into out: inout OutputBytes
  ) {
    switch port {
    case nil, .some(.none): return
    case .number(let number):
      append(status: EventRecord.meta, type: 0x21, [number], at: tick, into: &out)
    case .device(let name):
      append(status: EventRecord.meta, type: 0x09, name[...], at: tick, into: &out)
    }
  }

  /// Appends a tempo event.
  ///
  /// Note-offs of the same tick follow it.
  private mutating func append(_ event: ConductorEvent, into out: inout OutputBytes) {
    let tick = event.record.tick
    if tick > 0 {
      flushReleases(
        through: (tick - 1) << EventRecord.rankBits | EventRecord.maximumRank, into: &out)
    }
    append(event.record, payload: event.payload, into: &out)
  }

  private mutating func append(
    _ record: EventRecord, payload: ArraySlice<UInt8>, into out: inout OutputBytes
  ) {
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

  @inline(__always)
  private mutating func append(_ message: Message, at tick: UInt64, into out: inout OutputBytes) {
    if tick &- self.tick > Self.longestDelta { appendFiller(to: tick, into: &out) }
    var (word, length) = OutputBytes.packed(UInt32(truncatingIfNeeded: tick &- self.tick))
    advance(to: tick)
    if message.status != running || !usesRunningStatus {
      word |= UInt64(message.status) << UInt64(length * 8)
      length += 1
      running = message.status
    }
    word |= (UInt64(message.data1) | UInt64(message.data2) << 8) << UInt64(length * 8)
    out.append(packed: word, count: length + (message.status & 0xE0 == 0xC0 ? 1 : 2))
  }

  private mutating func appendDelta(to tick: UInt64, into out: inout OutputBytes) {
    if tick - self.tick > Self.longestDelta { appendFiller(to: tick, into: &out) }
    out.append(quantity: UInt32(tick - self.tick))
    advance(to: tick)
  }

  @inline(__always)
  private mutating func advance(to tick: UInt64) {
    if tick != self.tick { written = 0 }
    self.tick = tick
  }

  /// Appends empty texts until the rest of the gap fits into one delta time.
  @inline(never)
  private mutating func appendFiller(to tick: UInt64, into out: inout OutputBytes) {
    let count = Self.fillers(from: self.tick, to: tick)
    fillersLeft -= min(count, fillersLeft + 1)
    guard fillersLeft >= 0 else {
      advance(to: tick)
      return
    }
    for _ in 0..<count {
      out.append(quantity: UInt32(Self.longestDelta))
      out.append(contentsOf: [EventRecord.meta, 0x01, 0x00])
      running = 0
      self.tick += Self.longestDelta
    }
  }

  /// The number of empty texts that fill the gap between two events.
  static func fillers(from last: UInt64, to tick: UInt64) -> Int {
    tick > last ? Int((tick - last - 1) / longestDelta) : 0
  }

  /// Writes the note-offs up to a position.
  @inline(__always)
  private mutating func flushReleases(through place: UInt64, into out: inout OutputBytes) {
    while releases.nextTick <= place, let release = releases.removeFirst() {
      append(release, into: &out)
    }
  }

  /// The position of the next event, if it is at a given tick.
  private func place(in tick: UInt64) -> UInt64 {
    let rank = tick == self.tick ? min(written, EventRecord.maximumRank) : 0
    return tick << EventRecord.rankBits | rank
  }

  @inline(__always)
  private mutating func append(_ release: PendingRelease, into out: inout OutputBytes) {
    let tick = release.tick >> EventRecord.rankBits
    append(ports.change(to: release.track), at: tick, into: &out)
    append(release.message, at: tick, into: &out)
  }
}
