// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicalTime

/// Finds the data that a track loses when it is written again.
///
/// It follows the order of `TrackEncoder` and pairs notes as a reader does.
struct TrackSurvey {
  private(set) var losses: [SaveLoss] = []
  private var track = 0
  private var tick: UInt64 = 0
  /// The number of records at the current tick so far.
  private var written: UInt64 = 0
  private var releases = ReleaseQueue()
  /// The notes of each channel and key that are open for a reader on the current port, oldest
  /// first.
  private var open = Self.noNotes
  /// The open notes of the other ports that the track has used.
  private var others: [PortSegment.Key: [ArraySlice<OpenNote>]] = [:]
  /// The current port for a reader.
  private var port = PortSegment.Key.none
  private var ports = WrittenPorts()
  private static let noNotes = [ArraySlice<OpenNote>](repeating: [], count: 16 * 128)
  private var notes: Int32 = 0

  private struct OpenNote {
    let record: EventRecord
    let number: Int32
  }

  /// Examines one track.
  mutating func take(_ plan: TrackPlan, index: Int) {
    track = index
    tick = 0
    written = 0
    notes = 0
    if port != .none { open = Self.noNotes }
    (port, others, ports) = (.none, [:], WrittenPorts())
    var conductor = plan.conductor[...]
    for record in plan.track.records where !plan.track.isSettingsMeta(record) {
      while let first = conductor.first, first.record.tick <= record.tick {
        visit(before: first.record.tick)
        conductor.removeFirst()
      }
      flushReleases(through: place(in: record.tick))
      visit(record.tick)
      take(record, of: plan.track)
      written += 1
    }
    for event in conductor { visit(before: event.record.tick) }
    flushReleases(through: .max)
    visit(max(tick, plan.track.explicitEnd))
    let length = UInt64(plan.track.length.value)
    if tick != length { note(.trackLength(becomes: Int64(tick)), at: nil) }
  }

  private mutating func note(_ kind: SaveLoss.Kind, at tick: UInt64?) {
    losses.append(SaveLoss(kind, track: track, tick: tick))
  }

  /// Moves to a tempo event.
  ///
  /// Note-offs of the same tick follow it.
  private mutating func visit(before tick: UInt64) {
    if tick > 0 {
      flushReleases(through: (tick - 1) << EventRecord.rankBits | EventRecord.maximumRank)
    }
    visit(tick)
  }

  /// The position of the next record, if it is at a given tick.
  private func place(in tick: UInt64) -> UInt64 {
    tick << EventRecord.rankBits
      | (tick == self.tick ? min(written, EventRecord.maximumRank) : 0)
  }

  private mutating func visit(_ tick: UInt64) {
    let texts = TrackEncoder.fillers(from: self.tick, to: tick)
    if texts > 0 { note(.gap(texts: texts), at: tick) }
    if tick != self.tick { written = 0 }
    self.tick = tick
  }

  private mutating func take(_ record: EventRecord, of track: MusicTrack) {
    if record.isForDevice, let key = ports.restore() { change(to: key) }
    switch record.status {
    case 0x80...0x8F: takeLoneRelease(record)
    case 0x90...0x9F:
      let release = PendingRelease(
        tick: record.releasePlace, track: ports.number, index: notes,
        message: record.releaseMessage)
      open[record.slot].append(OpenNote(record: record, number: notes))
      releases.insert(release)
      notes &+= 1
    case EventRecord.meta where record.isPort:
      ports.take(record, of: track)
      change(to: port.after(record, track.payloads))
    case EventRecord.meta where track.isConductor(record): note(.strayTempoEvent, at: record.tick)
    case EventRecord.meta where track.isKeepsake(record): note(.ownMeta, at: record.tick)
    default: break
    }
  }

  /// Changes to the open notes of another port; no port is the same as port number 0.
  private mutating func change(to next: PortSegment.Key) {
    defer { port = next }
    let (old, new) = (port.orFirst, next.orFirst)
    guard old != new, others.count < 2 * TrackPorts.limit || others[new] != nil else { return }
    others[old] = open
    open = others.removeValue(forKey: new) ?? Self.noNotes
  }

  private mutating func takeLoneRelease(_ record: EventRecord) {
    guard let first = open[record.slot].popFirst() else { return }
    note(.loneRelease(record.channel, Key(record.data1)), at: record.tick)
    end(first.record, at: record.tick, with: Message(loneRelease: record))
  }

  private mutating func flushReleases(through place: UInt64) {
    while releases.nextTick <= place, let release = releases.removeFirst() {
      let tick = release.tick >> EventRecord.rankBits
      visit(tick)
      if let key = ports.change(to: release.track) { change(to: key) }
      let message = release.message
      if let first = open[EventRecord.slot(message.status, message.data1)].popFirst() {
        end(first.record, at: tick, with: message)
      } else {
        let channel = Channel(index: message.status & 0x0F)
        note(.leftRelease(channel, Key(message.data1)), at: tick)
      }
    }
  }

  /// Compares the end that a reader gives a note with its actual end.
  private mutating func end(_ record: EventRecord, at tick: UInt64, with release: Message) {
    let duration = tick - record.tick
    guard duration != record.duration || release != record.releaseMessage else { return }
    note(
      .noteEnd(
        record.channel, Key(record.data1), duration: Int64(record.duration),
        becomes: Int64(duration)), at: record.tick)
  }
}

extension EventRecord {
  fileprivate var channel: Channel { Channel(index: status & 0x0F) }
  fileprivate var slot: Int { Self.slot(status, data1) }

  fileprivate static func slot(_ status: UInt8, _ key: UInt8) -> Int {
    Int(status & 0x0F) << 7 | Int(key)
  }
}
