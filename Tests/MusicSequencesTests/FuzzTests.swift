// SPDX-License-Identifier: Apache-2.0
import CAllocationCounter
import Foundation
import MIDIMessages
import MusicSequences
import MusicalTime
import TestSupport
import Testing

/// Damaged at random: the reader ends, keeps to its bound, and what it gives can be written.
@Suite struct FuzzTests {
  /// Files that hold every kind of event between them.
  private static func seeds() throws -> [[UInt8]] {
    let own = [SampleFiles.everything, SampleFiles.runningStatus, SampleFiles.riff]
    guard Corpus.isPresent else { return own }
    let small = try Corpus.entries().filter { ($0.number("size") ?? .max) < 2000 }
    return own + (try small.map { try Corpus.bytes(of: $0.path) }.filter { $0.count > 14 })
  }

  private static let count =
    ProcessInfo.processInfo.environment["DOWNBEAT_LONG"] == "1" ? 2_000_000 : 10_000

  @Test func `no damage stops the reader, outgrows its bound, or survives writing`() throws {
    let seeds = try Self.seeds()
    var generator = SplitMix(seed: 0x4D54_6864)
    for round in 0..<Self.count {
      var bytes = seeds[Int.random(in: 0..<seeds.count, using: &generator)]
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        damage(&bytes, using: &generator)
      }
      let start = clock()
      guard let file = read(bytes) else { continue }
      // Processor time does not depend on the load of the machine. Each file takes less than a
      // second.
      #expect(clock() - start < 10 * CLOCKS_PER_SEC, "round \(round)")
      let records = file.sequences.reduce(0) { sum, sequence in
        sequence.tracks.reduce(sum + sequence.tempoTrack.count) { $0 + $1.count }
      }
      try #require(records <= bytes.count / 2 + 2, "round \(round)")
      if round % 4 == 0 { try checkWriting(file, round) }
      // A file without repairs is written unchanged, with or without its kept bytes.
      if file.repairs.isEmpty, file.container == .smf {
        try #require(try SMFWriter().write(file) == bytes, "round \(round)")
      }
    }
  }

  /// Reads, refused or not, in at most 64 bytes for each of the file's and a mebibyte.
  private func read(_ bytes: [UInt8]) -> SequenceFile? {
    callocationcounter_begin()
    defer {
      let peak = callocationcounter_end().peak
      #expect(peak <= 64 * bytes.count + 1 << 20, "\(bytes.count) bytes")
    }
    do {
      return try SMFReader().read(bytes)
    } catch {
      #expect(!"\(error)".isEmpty)
      return nil
    }
  }

  /// Checks that a repaired file is written without damage and with the same events, unless the
  /// writer lists losses in a track.
  ///
  /// Only data outside the sequences may be lost.
  private func checkWriting(_ file: SequenceFile, _ round: Int) throws {
    let losses = try SMFWriter().losses(of: file)
    guard losses.allSatisfy({ $0.track == nil }) else {
      try #require((file.sequences.map(\.length).max() ?? .zero) >= Tick(1 << 28))
      return
    }
    let again = try SMFReader().read(try SMFWriter().write(file))
    #expect(again.repairs.allSatisfy { $0.isRemark }, "round \(round)")
    try #require(again.sequences.count == file.sequences.count, "round \(round)")
    for (old, new) in zip(file.sequences, again.sequences) {
      for (left, right) in zip(old.tracks, new.tracks) {
        try #require(Array(left.events) == Array(right.events), "round \(round)")
      }
      try #require(
        Array(old.tempoTrack.events) == Array(new.tempoTrack.events), "round \(round)")
    }
  }

  private func damage(_ bytes: inout [UInt8], using generator: inout SplitMix) {
    guard bytes.count > 1 else { return }
    let place = Int.random(in: 0..<bytes.count, using: &generator)
    let interesting: [UInt8] = [0, 1, 0x7F, 0x80, 0x90, 0xF0, 0xF7, 0xFF, 0x2F, 0x51]
    switch Int.random(in: 0..<7, using: &generator) {
    case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
    case 1: bytes[place] = interesting[Int.random(in: 0..<interesting.count, using: &generator)]
    case 2: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    case 3: bytes.removeLast(Int.random(in: 0...min(40, bytes.count - 1), using: &generator))
    case 4: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: place)
    case 5: bytes.remove(at: place)
    default:
      let end = min(bytes.count, place + Int.random(in: 1...24, using: &generator))
      bytes.insert(
        contentsOf: bytes[place..<end], at: Int.random(in: 0..<bytes.count, using: &generator))
    }
  }
}
