// SPDX-License-Identifier: Apache-2.0
import MusicalTime

/// Reads the scores of the DMX sound system (`MUS`), used by many games of 1993–1996.
///
/// Time is counted in 140 ticks per second: 70 per quarter note at 120 beats per minute. Channel 16
/// of the score is the percussion channel, which is channel 10 in MIDI; the two are exchanged.
///
/// Source: the format's description in the Unofficial Doom Specs 1.666, section 7.
struct MUSReader {
  private let reader: ByteReader
  private var stream: ScoreStream
  private var velocities = [UInt8](repeating: 127, count: 16)

  static func recognizes(_ reader: ByteReader) -> Bool { reader.has("MUS\u{1A}", at: 0) }

  init(_ reader: ByteReader) {
    self.reader = reader
    stream = ScoreStream(reader, 0..<0, endingKind: .truncatedEvent)
  }

  mutating func read() throws(SequenceError) -> (MusicSequence, RepairLog) {
    guard let length = reader.littleWord(at: 4), let start = reader.littleWord(at: 6),
      start >= 16, start < reader.count, let resolution = PPQN(70)
    else {
      throw .damagedHeader(offset: 4, reason: "no score after the MUS header")
    }
    stream = ScoreStream(reader, start..<reader.count, endingKind: .truncatedEvent)
    if start + length > reader.count { stream.builder.note(.trackLength, at: 4, value: length) }
    while !stream.isFinished { readEvent() }
    let sequence = stream.builder.sequence(.ppqn(resolution), format: .single)
    return (sequence, stream.builder.log)
  }

  private mutating func readEvent() {
    guard let head = stream.next() else { return }
    let channel = Self.channel(head & 0x0F)
    switch head >> 4 & 7 {
    case 0: if let key = stream.nextData() { stream.builder.endNote(channel, key) }
    case 1: readNote(channel)
    case 2:
      if let bend = stream.next() {
        stream.builder.message(0xE0 | channel, (bend & 1) << 6, bend >> 1)
      }
    case 3: readSystemEvent(channel)
    case 4: readController(channel)
    case 5: break
    case 6: stream.finish()
    default: _ = stream.next()
    }
    if head & 0x80 != 0, !stream.isFinished, let delay = stream.quantity() {
      if delay > TrackParser.longestDelta {
        stream.builder.note(.longDelta, at: stream.offset, value: Int(clamping: delay))
      }
      stream.builder.advance(by: min(delay, TrackParser.longestDelta))
    }
  }

  private static func channel(_ number: UInt8) -> UInt8 {
    number == 15 ? 9 : number == 9 ? 15 : number
  }

  private mutating func readNote(_ channel: UInt8) {
    guard let key = stream.next() else { return }
    if key & 0x80 != 0 {
      guard let velocity = stream.nextData() else { return }
      velocities[Int(channel)] = velocity
    }
    let velocity = velocities[Int(channel)]
    if velocity == 0 {
      stream.builder.endNote(channel, key & 0x7F)
    } else {
      stream.builder.beginNote(0x90 | channel, key & 0x7F, velocity: velocity)
    }
  }

  private mutating func readSystemEvent(_ channel: UInt8) {
    let controllers: [UInt8: UInt8] = [10: 120, 11: 123, 12: 126, 13: 127, 14: 121]
    guard let number = stream.next() else { return }
    guard let controller = controllers[number] else {
      stream.builder.note(.systemStatus, at: stream.offset - 1, value: Int(number))
      return
    }
    stream.builder.message(0xB0 | channel, controller)
  }

  private mutating func readController(_ channel: UInt8) {
    let controllers: [UInt8] = [0, 0, 1, 7, 10, 11, 91, 93, 64, 67, 120, 123, 126, 127, 121]
    guard let number = stream.next(), let value = stream.nextData() else { return }
    guard Int(number) < controllers.count else {
      stream.builder.note(.systemStatus, at: stream.offset - 2, value: Int(number))
      return
    }
    if number == 0 {
      stream.builder.message(0xC0 | channel, value)
    } else {
      stream.builder.message(0xB0 | channel, controllers[Int(number)], value)
    }
  }
}
