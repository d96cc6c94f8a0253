// SPDX-License-Identifier: Apache-2.0
import MIDIMessages

extension PartDraft {
  /// The notes as they are played: with swing, gate and deviations, and without overlaps of one
  /// key.
  func playedNotes() -> [DraftNote] {
    var deviation = Deviation(seed: name)
    let played = notes.map { note in
      var note = note
      let end = swung(note.start + note.length, note.feel)
      let start = swung(note.start, note.feel)
      let shift = deviation.next(note.feel.timeRange)
      note.velocity = min(127, max(1, note.velocity + deviation.next(note.feel.velocityRange)))
      note.start = min(max(0, start + shift), max(0, state.position - 1))
      note.length = max(1, (end - start) * note.gate / 100)
      note.length = min(note.length, max(1, state.position - note.start))
      return note
    }
    return withoutOverlap(played)
  }

  /// Moves a tick inside its pair of units.
  ///
  /// Pairs begin at tick 0.
  private func swung(_ tick: Int64, _ feel: Feel) -> Int64 {
    guard feel.swing != 50 else { return tick }
    let unit = feel.swingUnit
    let (pair, inside) = (tick / (2 * unit), tick % (2 * unit))
    let second = 2 * unit * feel.swing / 100
    let moved =
      inside < unit
      ? inside * second / unit
      : second + (inside - unit) * (2 * unit - second) / unit
    return pair * 2 * unit + moved
  }

  /// Ends a note when its key is struck again; of two notes that begin together the longer remains.
  private func withoutOverlap(_ notes: [DraftNote]) -> [DraftNote] {
    var result: [DraftNote] = []
    var last: [Int: Int] = [:]
    let order = notes.indices.sorted { (notes[$0].start, $0) < (notes[$1].start, $1) }
    for index in order {
      let note = notes[index]
      let address = Int(note.channel.index) << 7 | note.key
      if let earlier = last[address] {
        let gap = note.start - result[earlier].start
        if gap == 0 {
          result[earlier].length = max(result[earlier].length, note.length)
          result[earlier].velocity = max(result[earlier].velocity, note.velocity)
          continue
        }
        result[earlier].length = min(result[earlier].length, gap)
      }
      last[address] = result.count
      result.append(note)
    }
    return result
  }
}

/// Small deviations that are always the same for a part's name (SplitMix64).
private struct Deviation {
  private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

  init(seed: String) {
    for byte in seed.utf8 { state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
  }

  /// A number in -range…range; small numbers are more frequent.
  mutating func next(_ range: Int64) -> Int64 {
    guard range > 0 else { return 0 }
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    z ^= z >> 31
    let (one, other) = (Int64(z & 0xFFFF), Int64(z >> 16 & 0xFFFF))
    return (one + other - 0xFFFF) * range / 0xFFFF
  }
}
