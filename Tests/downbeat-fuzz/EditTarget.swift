// SPDX-License-Identifier: Apache-2.0
import DownbeatCommand
import MIDIMessages
import MusicSequences
import MusicalTime
import TestSupport

/// Edits of mutated songs, one after the other, as words and as calls; what is left of a song is
/// written, and read without a repair.
struct EditTarget: FuzzTarget {
  private static let names = [
    "clear", "cut", "copy", "merge", "move", "insert-time", "delete-time", "transpose",
    "scale-time", "quantise", "velocity", "tempo", "program", "volume", "delete-track", "split",
    "join", "reverse", "retime", "format",
  ]
  private static let values = [
    "1/4", "-1/4", "4/4", "480t", "-1t", "2b", "1/8t", "+1/16", "999999999999t", "2", "3/2", "50%",
    "1/1000", "1000", "+12", "-127", "7", "0", "127", "=100", "90%", "+10", "40%..99%",
    "0:20,64:50,127:110", "120bpm", "60bpm", "500000us/q", "60000000bpm", "fold", "drums", "ends",
    "together", "1", "é",
  ]
  private static let places = [
    "1|1", "2|1", "5|3|17", "9.1.0", "0t", "480t", "1s", "2:30", "@A", "999999999s", "1e9", "-1s",
  ]

  private let scene: FuzzScene
  private let seeds: [[UInt8]]
  private var file: SequenceFile?
  private var editsLeft = 0
  private var (done, refused) = (0, 0)

  init(_ scene: FuzzScene, songs: [[UInt8]]) {
    self.scene = scene
    seeds = songs
  }

  var tally: String { "\(done) done, \(refused) refused" }

  mutating func attack(_ random: inout SplitMix) throws {
    if editsLeft == 0 { try takeSong(&random) }
    guard var edited = file else { return }
    editsLeft -= 1
    let size = edited.sequences.reduce(0) { $0 + $1.tracks.reduce(0) { $0 + $1.count } }
    do {
      if Bool.random(using: &random) {
        let words = Self.words(&random)
        try scene.keep(Array(words.utf8))
        try CommandEntry.edit(&edited, words)
      } else if let index = edited.sequences.indices.randomElement(using: &random) {
        try Self.call(&edited.sequences[index], &random)
      }
      done += 1
    } catch let fault as FuzzFault {
      throw fault
    } catch {
      try FuzzFault.unless(!"\(error)".isEmpty, "an error without a sentence")
      refused += 1
      return
    }
    let after = edited.sequences.reduce(0) { $0 + $1.tracks.reduce(0) { $0 + $1.count } }
    try FuzzFault.unless(after <= 3 * size + 4096, "\(after) events of \(size)")
    do {
      let bytes = try SMFWriter().write(edited)
      try SongTarget.expectClean(bytes)
    } catch is SequenceError {
      // Too long for a file: it is left at what it was.
      return
    }
    file = edited
    if after > 200_000 { editsLeft = 0 }
  }

  private mutating func takeSong(_ random: inout SplitMix) throws {
    var bytes = seeds.randomElement(using: &random) ?? []
    if Bool.random(using: &random) { Mutation.damage(&bytes, near: 100, &random) }
    do {
      file = try SMFReader().read(bytes)
    } catch {
      file = nil
      return
    }
    editsLeft = Int.random(in: 1...16, using: &random)
  }

  private static func words(_ random: inout SplitMix) -> String {
    var words = [names.randomElement(using: &random) ?? ""]
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      words.append(values.randomElement(using: &random) ?? "")
    }
    func place() -> String { places.randomElement(using: &random) ?? "" }
    if Bool.random(using: &random) { words.append("range=\(place())..\(place())") }
    if Int.random(in: 0..<3, using: &random) == 0 { words.append("to=\(place())") }
    if Int.random(in: 0..<4, using: &random) == 0 { words.append("at=\(place())") }
    if Int.random(in: 0..<3, using: &random) == 0 {
      words.append("track=\(Int.random(in: 0...9, using: &random))")
    }
    var bytes = Array(words.joined(separator: " ").utf8)
    if Int.random(in: 0..<10, using: &random) == 0 { Mutation.damage(&bytes, &random) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A tick in a song, before it, at its end, or far away.
  private static func tick(in sequence: MusicSequence, _ random: inout SplitMix) -> Tick {
    let length = max(1, sequence.length.value)
    return switch Int.random(in: 0..<8, using: &random) {
    case 0: Tick(0)
    case 1: Tick(length)
    case 2: Tick([Int64.max, 1 << 48, 1 << 32, .max - 1].randomElement(using: &random) ?? 0)
    default: Tick(Int64.random(in: 0...length, using: &random))
    }
  }

  private static func call(_ sequence: inout MusicSequence, _ random: inout SplitMix) throws {
    let (one, other) = (tick(in: sequence, &random), tick(in: sequence, &random))
    let range = min(one, other)..<max(one, other)
    let place = tick(in: sequence, &random)
    let track = Int.random(in: 0...max(0, sequence.tracks.count - 1), using: &random)
    let scope: EditScope =
      [.everything, .music, .tracks([track])].randomElement(using: &random) ?? .music
    switch Int.random(in: 0..<16, using: &random) {
    case 0: try sequence.clear(range, in: scope)
    case 1: try sequence.cut(range, in: scope)
    case 2: try sequence.insert(sequence.excerpt(of: range, in: scope), at: place)
    case 3: try sequence.merge(sequence.excerpt(of: range, in: scope), at: place)
    case 4: try sequence.move(range, by: place.value - one.value, in: scope)
    case 5: try sequence.insertTime(place.value, at: one, in: scope)
    case 6: try sequence.deleteTime(range, in: scope)
    case 7:
      let factor = Ratio(
        Int64.random(in: 1...1000, using: &random), over: Int64.random(in: 1...1000, using: &random)
      )
      try sequence.scaleTime(range, by: factor, in: scope)
    case 8: try sequence.reverse(range, in: scope)
    case 9:
      try sequence.transpose(
        range, by: Int.random(in: -127...127, using: &random),
        folding: Bool.random(using: &random), in: scope)
    case 10:
      let step = Ratio(Int64.random(in: 1...2000, using: &random), over: 7)
      let grid = try sequence.grid(step: step)
      try sequence.quantize(
        range, to: grid, strength: Ratio(Int64.random(in: 0...4, using: &random), over: 4),
        movesEnds: Bool.random(using: &random), in: scope)
    case 11:
      let micros = Int.random(in: 1...16_777_215, using: &random)
      try sequence.retime(range, to: Tempo(microsecondsPerQuarter: micros) ?? .standard)
    case 12:
      let micros = Int.random(in: 1...16_777_215, using: &random)
      try sequence.setTempo(Tempo(microsecondsPerQuarter: micros) ?? .standard, at: place)
    case 13: if !sequence.tracks.isEmpty { try sequence.splitByChannel(track: track, in: range) }
    case 14: try sequence.join(Array(sequence.tracks.indices), in: range)
    default:
      try sequence.shapeVelocities(range, along: .ramp(from: 1, to: 100), in: scope)
    }
  }
}
