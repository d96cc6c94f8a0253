// SPDX-License-Identifier: Apache-2.0
import MusicSequences
import MusicalTime
import TestSupport
import Testing

/// Settings that no track can have, in a file or set by a program: nothing traps, all ends.
@Suite struct HostileSettingsTests {
  private static let extremes: [Int64] = [.min, .min + 1, -1, 0, 1, 1 << 48, .max - 1, .max]

  /// A song of four notes whose track carries our meta of settings.
  private func song(offset: Int64, length: Int64, count: Int64) -> [UInt8] {
    let numbers = [offset, length, count].flatMap { number in
      stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> Int64($0)) }
    }
    let meta: [UInt8] = [0xFF, 0x7F, 30, 0x7D, 0x64, 0x62, 0x74, 0, 8] + numbers
    let notes = (0..<4).flatMap { _ in
      [(240, [0x90, 60, 100] as [UInt8]), (240, [0x80, 60, 64])]
    }
    return SongBytes.file([(0, meta)] + notes.map { (delta: $0.0, bytes: $0.1) })
  }

  /// Reads as a player does: no further than a thousand events, and never back in time.
  private func play(_ sequence: MusicSequence, from start: Tick = .zero) {
    var cursor = SequenceCursor(playing: sequence)
    cursor.locate(to: start)
    var last = Tick.zero
    for _ in 0..<1000 {
      guard let event = cursor.next(before: Tick(.max)) else { return }
      #expect(event.tick >= last)
      last = event.tick
    }
  }

  @Test(arguments: extremes)
  func `settings with extreme numbers are read, played and written back`(number: Int64) throws {
    for other in Self.extremes {
      for bytes in [
        song(offset: number, length: other, count: 0),
        song(offset: 0, length: number, count: other),
        song(offset: other, length: 480, count: number),
      ] {
        let file = try SMFReader().read(bytes)
        let sequence = try #require(file.sequences.first)
        play(sequence)
        play(sequence, from: Tick(1 << 47))
        #expect(try SMFWriter().write(file) == bytes)
      }
    }
  }

  @Test(arguments: extremes)
  func `what a program sets is played`(number: Int64) throws {
    var sequence = try #require(
      try SMFReader().read(SongBytes.notes(4, every: 480)).sequences.first)
    for other in Self.extremes {
      sequence.tracks[0].settings.offset = number
      sequence.tracks[0].settings.loop = .init(length: other, count: Int(number))
      play(sequence)
      play(sequence, from: Tick(1 << 47))
      sequence.tracks[0].settings.loop = .init(length: number, count: Int(other))
      play(sequence)
    }
  }
}
