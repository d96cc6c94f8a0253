// SPDX-License-Identifier: Apache-2.0
import MusicalTime

/// Parses meta events, SysEx, damaged data and the last bytes of a chunk, with a check of every
/// byte.
extension TrackParser {
  /// The longest delta time that is read, 2³² − 1.
  ///
  /// It takes sixteen empty texts when it is written.
  static var longestDelta: UInt64 { UInt64(UInt32.max) }

  /// Parses one event of any kind, or ends the track at damage that cannot be skipped.
  @inline(never)
  mutating func parseEvent() {
    let start = position
    guard let delta = readQuantity(from: start), let first = nextByte(from: start) else { return }
    // A longer delta time could only be written with empty texts: a few bytes could become
    // megabytes.
    if delta > Self.longestDelta { note(.longDelta, value: Int(delta)) }
    advance(by: min(delta, Self.longestDelta))
    switch first {
    case 0xFF: parseMeta(from: start)
    case 0xF0, 0xF7: parseSysEx(first, from: start)
    case 0xF1...0xFE: skipSystemMessage(first)
    case 0x80...0xEF: parseChannelMessage(first, from: start)
    default: parseRunning(first, from: start)
    }
  }

  private mutating func advance(by delta: UInt64) {
    if delta != 0 { earlier = count }
    if tick + delta > EventRecord.maximumTick { note(.tickRange) }
    tick = min(tick + delta, EventRecord.maximumTick)
  }

  private mutating func parseRunning(_ data1: UInt8, from start: Int) {
    if running == 0, suspended == 0 {
      note(.missingStatus, value: Int(data1))
      skipToStatus(from: start)
      return
    }
    if running == 0 {
      note(.runningStatusAcrossMeta)
      running = suspended
    }
    position -= 1
    style.omits = true
    parseData(of: running, from: start)
  }

  /// Skips data bytes up to the next status byte, and parses that event.
  private mutating func skipToStatus(from start: Int) {
    while position < end, byte(at: position) < 0x80 { position += 1 }
    guard let status = nextByte(from: start) else { return }
    switch status {
    case 0xFF: parseMeta(from: start)
    case 0xF0, 0xF7: parseSysEx(status, from: start)
    case 0xF1...0xFE: skipSystemMessage(status)
    default: parseChannelMessage(status, from: start)
    }
  }

  private mutating func parseChannelMessage(_ status: UInt8, from start: Int) {
    if status == running { style.repeats = true }
    parseData(of: status, from: start)
  }

  private mutating func parseData(of status: UInt8, from start: Int) {
    guard let data1 = nextDataByte(from: start) else { return }
    var data2: UInt8 = 0
    if status & 0xE0 != 0xC0 {
      guard let second = nextDataByte(from: start) else { return }
      data2 = second
    }
    running = status
    store(status: status, data1: data1, data2: data2)
  }

  private mutating func skipSystemMessage(_ status: UInt8) {
    note(.systemStatus, value: Int(status))
    let data = status == 0xF2 ? 2 : status == 0xF1 || status == 0xF3 ? 1 : 0
    for _ in 0..<data where position < end && byte(at: position) < 0x80 { position += 1 }
  }

  private mutating func parseSysEx(_ status: UInt8, from start: Int) {
    guard let payload = readPayload(from: start) else { return }
    suspendRunningStatus()
    let prefix: UInt8? = status == EventRecord.sysEx ? status : nil
    keep(payload, after: prefix, status: status, type: 0)
  }

  private mutating func parseMeta(from start: Int) {
    guard let type = nextByte(from: start), let payload = readPayload(from: start) else { return }
    suspendRunningStatus()
    if type == 0x2F {
      if !payload.isEmpty { note(.endOfTrackLength, value: payload.count) }
      sawEndOfTrack = true
      isFinished = true
      return
    }
    if let problem = problem(ofMeta: type, payload) {
      note(problem.kind, value: problem.value)
      return
    }
    if type == 0x7F, keepKeepsake(payload) { return }
    if MetaEvent.belongsToTempoTrack(type, payload.count) {
      keepConductor(payload, type: type)
    } else {
      keep(payload, after: nil, status: EventRecord.meta, type: type)
      if type == 0x21 || type == 0x09 { changePort() }
    }
  }

  /// Changes to the open notes of the port that the last meta event selects.
  private mutating func changePort() {
    guard count > 0 else { return }
    let key = unsafe ports.key.after(records[count - 1], payloads)
    guard key != ports.key else { return }
    if ports.isSingle, !hasNotes() { return ports.begin(key) }
    let used = unsafe ParserPorts.Tables(heads: heads, tails: tails)
    let tables = unsafe ports.change(to: key, from: used)
    unsafe (heads, tails) = (tables.heads, tables.tails)
  }

  /// True if the track has notes so far.
  ///
  /// Each record is examined once.
  private mutating func hasNotes() -> Bool {
    while ports.noteless < count {
      if unsafe records[ports.noteless].isNote { return true }
      ports.noteless += 1
    }
    return false
  }

  private mutating func suspendRunningStatus() {
    if running != 0 { suspended = running }
    running = 0
  }

  private func problem(
    ofMeta type: UInt8, _ payload: Range<Int>
  ) -> (kind: Repair.Kind, value: Int)? {
    switch type {
    case 0x80...: (.metaType, Int(type))
    case 0x51 where payload.count != 3: (.tempoLength, payload.count)
    case 0x51 where isZero(payload): (.tempoZero, 0)
    case 0x58 where payload.count != 4 || byte(at: payload.lowerBound) == 0: (.timeSignature, 0)
    case 0x59 where !isKeySignature(payload): (.keySignature, 0)
    default: nil
    }
  }

  private func isZero(_ payload: Range<Int>) -> Bool {
    for index in payload where byte(at: index) != 0 { return false }
    return true
  }

  private func isKeySignature(_ payload: Range<Int>) -> Bool {
    guard payload.count == 2 else { return false }
    let sharps = Int8(bitPattern: byte(at: payload.lowerBound))
    return (-7...7).contains(sharps) && byte(at: payload.lowerBound + 1) <= 1
  }

  private mutating func keep(
    _ payload: Range<Int>, after prefix: UInt8?, status: UInt8, type: UInt8
  ) {
    let source = unsafe UnsafeRawBufferPointer(
      start: bytes + payload.lowerBound, count: payload.count)
    guard let offset = unsafe payloads.append(source, after: prefix) else {
      note(.trackFull)
      isFinished = true
      return
    }
    unsafe records[count] = EventRecord(tick: tick, status: status, data1: type, extent: offset)
    count += 1
  }

  /// Stores a user or parameter event from a meta event of Downbeat; reads settings.
  private mutating func keepKeepsake(_ payload: Range<Int>) -> Bool {
    let source = unsafe UnsafeRawBufferPointer(
      start: bytes + payload.lowerBound, count: payload.count)
    if unsafe source.starts(with: Keepsake.state) {
      var changed = settings ?? TrackSettings()
      changed.unitState = unsafe Array(source.dropFirst(Keepsake.state.count))
      settings = changed
      style.isOdd = true
      return false
    }
    if var found = unsafe TrackSettings(keepsake: source) {
      found.unitState = settings?.unitState ?? []
      settings = found
      // The writer writes settings first, from `TrackSettings`.
      style.isOdd = true
      return false
    }
    let content = payload.dropFirst(Keepsake.user.count)
    if unsafe source.starts(with: Keepsake.user) {
      keep(content, after: nil, status: EventRecord.user, type: 0)
      return true
    }
    guard unsafe source.starts(with: Keepsake.parameter), content.count == 17 else { return false }
    keep(content, after: nil, status: EventRecord.parameter, type: 0)
    return true
  }

  private mutating func keepConductor(_ payload: Range<Int>, type: UInt8) {
    let source = unsafe UnsafeRawBufferPointer(
      start: bytes + payload.lowerBound, count: payload.count)
    guard let offset = unsafe conductorPayloads.append(source) else { return }
    // The writer writes tempo events before all other events of their tick.
    if rank > 0 || hasReleaseAtTick { style.isOdd = true }
    var record = EventRecord(tick: tick, status: EventRecord.meta, data1: type, extent: offset)
    record.mark = UInt16(truncatingIfNeeded: track)
    conductor.append(record)
  }
}

/// Reads bytes, numbers and payloads, never past the end.
extension TrackParser {
  private func byte(at index: Int) -> UInt8 {
    unsafe bytes.load(fromByteOffset: index, as: UInt8.self)
  }

  private mutating func nextByte(from start: Int) -> UInt8? {
    guard position < end else {
      finish(.truncatedEvent, at: start)
      return nil
    }
    defer { position += 1 }
    return byte(at: position)
  }

  private mutating func nextDataByte(from start: Int) -> UInt8? {
    guard let byte = nextByte(from: start) else { return nil }
    if byte > 127 { note(.dataByte, value: Int(byte)) }
    return min(byte, 127)
  }

  /// Reads a variable-length number: up to four bytes by the standard, up to nine here.
  private mutating func readQuantity(from start: Int) -> UInt64? {
    var value: UInt64 = 0
    for length in 1...9 {
      guard let byte = nextByte(from: start) else { return nil }
      value = value << 7 | UInt64(byte & 0x7F)
      if byte < 0x80 {
        if length > 4 { note(.longQuantity, value: length) }
        // A shorter form would be possible.
        if length > 1, value >> UInt64(7 * (length - 1)) == 0 { style.isOdd = true }
        return min(value, 1 << 62)
      }
    }
    finish(.endlessQuantity, at: start)
    return nil
  }

  private mutating func readPayload(from start: Int) -> Range<Int>? {
    guard let length = readQuantity(from: start) else { return nil }
    guard length <= UInt64(end - position) else {
      finish(.truncatedPayload, at: start, value: Int(clamping: length))
      return nil
    }
    defer { position += Int(length) }
    return position..<position + Int(length)
  }

  /// Ends the track before the event that begins at an offset.
  private mutating func finish(_ kind: Repair.Kind, at start: Int, value: Int = 0) {
    position = start
    note(kind, value: value)
    isFinished = true
  }

  /// Reports a repair at the current position.
  ///
  /// Strict reading ends at the first repair.
  mutating func note(_ kind: Repair.Kind, value: Int = 0) {
    style.isOdd = true
    log.append(
      Repair(kind, track: track, tick: Tick(Int64(tick)), offset: position, value: value))
    if isStrict, log.firstRepair != nil { isFinished = true }
  }
}
