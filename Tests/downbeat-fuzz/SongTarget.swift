// SPDX-License-Identifier: Apache-2.0
import Foundation
import MusicSequences
import MusicalTime
import TestSupport

/// Songs: read, listed, written, edited and written again; what we write we read without a repair.
struct SongTarget: FuzzTarget {
  private let scene: FuzzScene
  private let seeds: [[UInt8]]
  private var (taken, refused) = (0, 0)

  init(_ scene: FuzzScene) throws {
    self.scene = scene
    seeds = try Self.seeds()
  }

  /// The songs that are mutated.
  static func seeds() throws -> [[UInt8]] {
    let songs = ToolRun.packageFolder.appendingPathComponent("Songs")
    return try FileManager.default.contentsOfDirectory(atPath: songs.path)
      .filter { $0.hasSuffix(".mid") }.sorted()
      .map { [UInt8](try Data(contentsOf: songs.appendingPathComponent($0))) }
  }

  var tally: String { "\(taken) taken, \(refused) refused" }

  mutating func attack(_ random: inout SplitMix) throws {
    var bytes = seeds.randomElement(using: &random) ?? []
    Mutation.damage(&bytes, near: 100, &random)
    try scene.keep(bytes)
    let file: SequenceFile
    do {
      file = try SMFReader().read(bytes)
    } catch {
      refused += 1
      return
    }
    taken += 1
    let written = try SMFWriter().write(file)
    try FuzzFault.unless(
      written.count <= 16 * bytes.count + 1024, "\(written.count) bytes for \(bytes.count)")
    if !file.repairs.isEmpty { try Self.expectClean(written) }
    guard var sequence = file.sequences.first else { return }
    let half = Tick(0)..<Tick(sequence.length.value / 2)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: try sequence.reverse()
    case 1: try sequence.transpose(.allTicks, by: 5, folding: true)
    case 2: try sequence.deleteTime(half)
    case 3: try sequence.scaleTime(half, by: Ratio(1, over: 3))
    case 4: if !sequence.tracks.isEmpty { sequence.tracks.removeLast() }
    default: try sequence.clear(half)
    }
    try Self.expectClean(try SMFWriter().write(sequence))
  }

  /// Holds where a file needs no repair: remarks are of what stands in it by right.
  static func expectClean(_ bytes: [UInt8]) throws {
    let repairs = try SMFReader().read(bytes).repairs.filter { !$0.isRemark }
    try FuzzFault.unless(
      repairs.isEmpty, "what was written is read with \(repairs.first.map { "\($0)" } ?? "")")
  }
}
