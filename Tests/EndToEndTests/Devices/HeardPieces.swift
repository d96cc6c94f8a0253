// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// What of a known noise was heard, in pieces, by somebody who shares no code with who played it.
struct HeardPieces {
  /// A piece: where it lies in what was heard, where in the noise, and how long it is.
  struct Piece {
    var start: Int
    var source: Int
    var count: Int
  }

  private(set) var pieces: [Piece] = []
  /// Samples that are neither silence nor of the noise.
  private(set) var strangeCount = 0

  /// Finds the pieces, with silence between them or none.
  init(of heard: [Float], in noise: [Float]) {
    var place = 0
    while place < heard.count {
      guard heard[place] != 0 else {
        place += 1
        continue
      }
      let next = pieces.last.map { $0.source + $0.count } ?? 0
      // From where it should go on, else anywhere.
      guard
        let source = Self.place(of: heard[place...].prefix(4), in: noise, from: next)
          ?? Self.place(of: heard[place...].prefix(4), in: noise, from: 0)
      else {
        strangeCount += 1
        place += 1
        continue
      }
      let count = zip(heard[place...], noise[source...]).prefix { $0 == $1 }.count
      pieces.append(Piece(start: place, source: source, count: count))
      place += count
    }
  }

  private static func place(
    of part: ArraySlice<Float>, in noise: [Float], from start: Int
  ) -> Int? {
    noise.indices.dropFirst(start).first { noise[$0...].starts(with: part) }
  }

  /// The frames of the noise that lie between two pieces; below 0 where something was heard twice.
  var holes: [Int] { zip(pieces.dropFirst(), pieces).map { $0.source - $1.source - $1.count } }

  /// Samples of 16 bits, none of them 0, the same each time.
  static func noise(seconds: Int) -> [Float] {
    var state: UInt32 = 5
    return (0..<seconds * 48_000).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      let value = Float(state >> 20) + 1
      return (state & 1 << 19 == 0 ? value : -value) / 32_768
    }
  }

  /// A file of 16 bits and one channel that holds the noise.
  static func file(_ noise: [Float]) -> [UInt8] {
    WaveBytes.file(frames: noise.count, channels: 1) { frame, _ in
      Double(noise[frame]) * 32_768 / 32_767
    }
  }
}
