// SPDX-License-Identifier: Apache-2.0
import MusicalTime

/// Reads the scores of the DMX sound system (`MUS`), as many games of 1993–1996 hold them.
///
/// Time is 140 ticks a second: 70 a quarter note at 120 beats per minute. Channel 16 of the score
/// is the percussion, channel 10 of MIDI, and the other way round.
///
/// Source: the format's description in the Unofficial Doom Specs 1.666, section 7.
struct MUSReader {
  private let reader: ByteReader
  private var offset = 0
  private var builder = ScoreBuilder()
  private var velocities = [UInt8](repeating: 127, count: 16)
  private var isFinished = false

  static func recognizes(_ reader: ByteReader) -> Bool { reader.has("MUS\u{1A}", at: 0) }

  init(_ reader: ByteReader) {
    self.reader = reader
  }

  mutating func read() throws(SequenceError) -> (MusicSequence, RepairLog) {
    guard let length = reader.littleWord(at: 4), let start = reader.littleWord(at: 6),
      start >= 16, start < reader.count, let resolution = PPQN(70)
    else {
      throw .damagedHeader(offset: 4, reason: "MUS header without a score behind it")
    }
    if start + length > reader.count { builder.note(.trackLength, at: 4, value: length) }
    offset = start
    while !isFinished { readEvent() }
    let sequence = builder.sequence(.ppqn(resolution), format: .single)
    return (sequence, builder.log)
  }

  private mutating func next() -> UInt8? {
    guard offset < reader.count else {
      if !isFinished { builder.note(.truncatedEvent, at: offset) }
      isFinished = true
      return nil
    }
    defer { offset += 1 }
    return reader.bytes[offset]
  }

  /// A data byte; one above 127 is taken as 127.
  private mutating func nextData() -> UInt8? {
    guard let byte = next() else { return nil }
    if byte > 127 { builder.note(.dataByte, at: offset - 1, value: Int(byte)) }
    return min(byte, 127)
  }

  private mutating func readEvent() {
    guard let head = next() else { return }
    let channel = Self.channel(head & 0x0F)
    switch head >> 4 & 7 {
    case 0: if let key = nextData() { builder.endNote(channel, key) }
    case 1: readNote(channel)
    case 2: if let bend = next() { builder.message(0xE0 | channel, (bend & 1) << 6, bend >> 1) }
    case 3: readSystemEvent(channel)
    case 4: readController(channel)
    case 5: break
    case 6: isFinished = true
    default: _ = next()
    }
    if head & 0x80 != 0, !isFinished { readDelay() }
  }

  private static func channel(_ number: UInt8) -> UInt8 {
    number == 15 ? 9 : number == 9 ? 15 : number
  }

  private mutating func readNote(_ channel: UInt8) {
    guard let key = next() else { return }
    if key & 0x80 != 0 {
      guard let velocity = nextData() else { return }
      velocities[Int(channel)] = velocity
    }
    let velocity = velocities[Int(channel)]
    if velocity == 0 {
      builder.endNote(channel, key & 0x7F)
    } else {
      builder.beginNote(0x90 | channel, key & 0x7F, velocity: velocity)
    }
  }

  private mutating func readSystemEvent(_ channel: UInt8) {
    let controllers: [UInt8: UInt8] = [10: 120, 11: 123, 12: 126, 13: 127, 14: 121]
    guard let number = next() else { return }
    guard let controller = controllers[number] else {
      builder.note(.systemStatus, at: offset - 1, value: Int(number))
      return
    }
    builder.message(0xB0 | channel, controller)
  }

  private mutating func readController(_ channel: UInt8) {
    let controllers: [UInt8] = [0, 0, 1, 7, 10, 11, 91, 93, 64, 67, 120, 123, 126, 127, 121]
    guard let number = next(), let value = nextData() else { return }
    guard Int(number) < controllers.count else {
      builder.note(.systemStatus, at: offset - 2, value: Int(number))
      return
    }
    if number == 0 {
      builder.message(0xC0 | channel, value)
    } else {
      builder.message(0xB0 | channel, controllers[Int(number)], value)
    }
  }

  private mutating func readDelay() {
    var delay: UInt64 = 0
    for _ in 0..<9 {
      guard let byte = next() else { return }
      delay = delay << 7 | UInt64(byte & 0x7F)
      if byte < 0x80 { return builder.advance(by: delay) }
    }
    builder.note(.endlessQuantity, at: offset)
    isFinished = true
  }
}
