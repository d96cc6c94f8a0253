// SPDX-License-Identifier: Apache-2.0
import MusicalTime

/// Parses the events of one track chunk into records, and pairs notes with note-offs.
///
/// A note-off ends the oldest open note of its port, channel and key. Channel messages are parsed
/// by `parseUsualEvents`, with one load and one bounds check for each event. Other events and the
/// last bytes of the chunk are parsed by `parseEvent`, which checks each byte.
@safe
struct TrackParser: ~Copyable {
  let bytes: UnsafeRawPointer
  let end: Int
  let track: Int
  let isStrict: Bool
  let records: UnsafeMutablePointer<EventRecord>
  /// The oldest open note of each channel and key of the current port; `tails` has the newest.
  var heads: UnsafeMutablePointer<UInt32>
  var tails: UnsafeMutablePointer<UInt32>
  /// The open notes of the other ports that the track has used.
  var ports = ParserPorts()

  var position: Int
  var tick: UInt64 = 0
  var count = 0
  var cutNotes = 0
  /// The number of notes without a note-off in the track; `loneReleases` counts note-offs without a
  /// note.
  var openNotes = 0
  var loneReleases = 0
  /// The running status; 0 if it is not set.
  var running: UInt8 = 0
  /// The running status that a meta or SysEx event ended.
  var suspended: UInt8 = 0
  var sawEndOfTrack = false
  var isFinished = false

  /// The number of records that were stored before the current tick.
  var earlier = 0
  /// The number of records that are stored so far at the current tick.
  var rank: UInt64 { UInt64(truncatingIfNeeded: count &- earlier) }
  /// The tick and rank of the last note-off, and the index of its note.
  private var lastRelease = (place: UInt64.max, index: UInt32(0))
  /// True if the writer would put a note-off at another position than the track does.
  private var hasOddReleases = false
  var style = ChunkStyle()

  var payloads = PayloadStore()
  var conductor: [EventRecord] = []
  var conductorPayloads = PayloadStore()
  var settings: TrackSettings?
  var log = RepairLog(limit: RepairLog.trackLimit)

  /// Creates a parser for a range of bytes, which the caller must keep alive and unchanged.
  init(
    _ bytes: UnsafeRawPointer, range: Range<Int>, track: Int, strict: Bool,
    scratch: borrowing ParserScratch
  ) {
    unsafe self.bytes = bytes
    unsafe records = scratch.records
    unsafe heads = scratch.heads
    unsafe tails = scratch.tails
    position = range.lowerBound
    end = range.upperBound
    isStrict = strict
    self.track = track
  }

  /// Parses up to the end of track, the end of the bytes, or damage that cannot be skipped.
  mutating func parse() {
    while position < end, !isFinished {
      parseUsualEvents()
      if position < end, !isFinished { parseEvent() }
    }
    if count > 0 { closeOpenNotes() }
    if hasOddReleases { style.isOdd = true }
    if cutNotes > 0 { note(.noteLength, value: cutNotes) }
  }

  /// Parses channel messages up to the first other event, or until fewer than eight bytes are left.
  private mutating func parseUsualEvents() {
    let safeEnd = end - 8
    var position = position
    var tick = tick
    var running = running
    var (count, earlier, style) = (count, earlier, style)
    while position <= safeEnd {
      let word = unsafe UInt64(
        littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
      guard let (delta, deltaSize) = Self.delta(word, &style),
        let (body, size) = Self.message(word >> UInt64(deltaSize * 8), running, &style),
        tick &+ delta <= EventRecord.maximumTick
      else { break }
      tick &+= delta
      if delta != 0 { earlier = count }
      running = UInt8(truncatingIfNeeded: body)
      position &+= deltaSize &+ size
      if running & 0xE0 == 0x80 {
        storeNote(body, tick: tick, earlier: earlier, count: &count)
      } else {
        unsafe records[count] = EventRecord(place: tick << 16, body: body)
        count &+= 1
      }
    }
    self.position = position
    self.tick = tick
    self.running = running
    self.count = count
    self.earlier = earlier
    self.style = style
  }

  /// Reads the delta time at the start of eight bytes, the first byte lowest.
  ///
  /// - Parameters:
  ///   - word: The bytes.
  ///   - style: Marked as odd if the time begins with a byte that is not needed.
  /// - Returns: The ticks and the number of bytes; nil if there are more than four.
  @inline(__always)
  private static func delta(
    _ word: UInt64, _ style: inout ChunkStyle
  ) -> (ticks: UInt64, size: Int)? {
    var delta = word & 0x7F
    guard word & 0x80 != 0 else { return (delta, 1) }
    if delta == 0 { style.isOdd = true }
    delta = delta << 7 | word >> 8 & 0x7F
    guard word & 0x8000 != 0 else { return (delta, 2) }
    delta = delta << 7 | word >> 16 & 0x7F
    guard word & 0x80_0000 != 0 else { return (delta, 3) }
    guard word & 0x8000_0000 == 0 else { return nil }
    return (delta << 7 | word >> 24 & 0x7F, 4)
  }

  /// Reads the channel message at the start of some bytes, the first byte lowest.
  ///
  /// - Parameters:
  ///   - bytes: The bytes, at least three.
  ///   - running: The running status; 0 if it is not set.
  ///   - style: Notes whether the status is omitted or repeated.
  /// - Returns: Status and data, and the number of bytes that the message has in the file; nil if it
  ///   is not a channel message, or damaged.
  @inline(__always)
  private static func message(
    _ bytes: UInt64, _ running: UInt8, _ style: inout ChunkStyle
  ) -> (body: UInt64, size: Int)? {
    var body = bytes
    var omitted = 0
    if body & 0x80 == 0 {
      guard running != 0 else { return nil }
      body = body << 8 | UInt64(running)
      omitted = 1
      style.omits = true
    } else if UInt8(truncatingIfNeeded: body) == running {
      style.repeats = true
    }
    let status = UInt8(truncatingIfNeeded: body)
    if status & 0xE0 == 0xC0 {
      guard body & 0x8000 == 0 else { return nil }
      return (body & 0xFFFF, 2 &- omitted)
    }
    guard status < 0xF0, body & 0x80_8000 == 0 else { return nil }
    return (body & 0xFF_FFFF, 3 &- omitted)
  }

  /// Begins a note, or ends the oldest one of its channel and key.
  @inline(__always)
  private mutating func storeNote(
    _ body: UInt64, tick: UInt64, earlier: Int, count: inout Int
  ) {
    let key = Int((body & 0x0F) << 7 | body >> 8 & 0x7F)
    if body & 0x10 != 0, body & 0xFF_0000 != 0 {
      let index = UInt32(truncatingIfNeeded: count)
      if unsafe heads[key] == ParserScratch.none {
        unsafe heads[key] = index
      } else {
        unsafe records[Int(tails[key])].extent = index
      }
      unsafe tails[key] = index
      unsafe records[count] = EventRecord(
        place: tick << 16, body: body | UInt64(ParserScratch.none) << 32)
      count &+= 1
      return
    }
    let head = unsafe heads[key]
    guard head != ParserScratch.none else {
      storeLoneRelease(body, tick: tick, count: &count)
      return
    }
    let note = unsafe records + Int(head)
    unsafe heads[key] = note.pointee.extent
    let duration = unsafe tick &- note.pointee.tick
    let release = body & 0x10 == 0 ? body >> 16 & 0xFF : 64
    if duration > UInt64(EventRecord.maximumDuration) { cutNotes += 1 }
    let extent = min(duration, UInt64(EventRecord.maximumDuration))
    unsafe note.pointee.body =
      note.pointee.body & 0xFF_FFFF | release << 24 | extent << 32
    let rank = UInt64(truncatingIfNeeded: count &- earlier)
    if rank > EventRecord.maximumRank { hasOddReleases = true }
    let storedRank = min(rank, EventRecord.maximumRank)
    unsafe note.pointee.place |= body >> 4 & 1 | storedRank << EventRecord.rankShift
    // The writer writes note-offs of one position in the order of their notes.
    let place = tick << 16 | storedRank
    if place == lastRelease.place, head < lastRelease.index { hasOddReleases = true }
    lastRelease = (place, head)
  }

  /// True if a note was released at this tick.
  var hasReleaseAtTick: Bool { lastRelease.place >> 16 == tick }

  /// Stores a note-off without a note.
  @inline(never)
  private mutating func storeLoneRelease(_ body: UInt64, tick: UInt64, count: inout Int) {
    let flag = body & 0x10 == 0 ? 0 : UInt64(EventRecord.releasedByNoteOn)
    unsafe records[count] = EventRecord(place: tick << 16 | flag, body: body & ~0x10)
    count += 1
    loneReleases += 1
  }

  /// Stores a channel message that was read byte by byte.
  mutating func store(status: UInt8, data1: UInt8, data2: UInt8) {
    let body = UInt64(status) | UInt64(data1) << 8 | UInt64(data2) << 16
    var count = count
    if status & 0xE0 == 0x80 {
      storeNote(body, tick: tick, earlier: earlier, count: &count)
    } else {
      unsafe records[count] = EventRecord(place: tick << 16, body: body)
      count += 1
    }
    self.count = count
  }

  /// Ends unreleased notes at the end of the track.
  @inline(never)
  private mutating func closeOpenNotes() {
    let all = unsafe ports.all(or: ParserPorts.Tables(heads: heads, tails: tails))
    for index in unsafe all.indices { unsafe closeOpenNotes(of: all[index].heads) }
    ports.free()
  }

  private mutating func closeOpenNotes(of heads: UnsafeMutablePointer<UInt32>) {
    for key in 0..<(16 * 128) {
      var index = unsafe heads[key]
      unsafe heads[key] = ParserScratch.none
      while index != ParserScratch.none {
        let record = unsafe records + Int(index)
        index = unsafe record.pointee.extent
        unsafe closeAtEnd(record)
      }
    }
  }

  private mutating func closeAtEnd(_ record: UnsafeMutablePointer<EventRecord>) {
    style.isOdd = true
    let duration = unsafe tick &- record.pointee.tick
    unsafe record.pointee.extent = UInt32(min(duration, UInt64(EventRecord.maximumDuration)))
    unsafe record.pointee.releaseVelocity = 64
    unsafe record.pointee.mark = EventRecord.unreleased
    unsafe record.pointee.releaseRank = EventRecord.maximumRank
    openNotes += 1
    let start = unsafe Tick(Int64(record.pointee.tick))
    let key = unsafe Int(record.pointee.data1)
    log.append(
      Repair(.unreleasedNote, track: track, tick: start, offset: position, value: key))
  }
}
