// SPDX-License-Identifier: Apache-2.0

/// Bars and their parts on a session's beats: each peer has its own length of a bar (*quantum*), and
/// all begin at the session's beat 0.
///
/// All in whole micro-beats, so nothing is rounded.
package struct BeatGrid: Hashable, BitwiseCopyable, Sendable {
  /// The length of a bar; 0 where there are none.
  package let quantum: Int64

  /// Creates a grid.
  ///
  /// - Precondition: the quantum is 0 or more.
  package init(quantum: Int64) {
    precondition(quantum >= 0, "a quantum is not below zero")
    self.quantum = quantum
  }

  /// How far into its bar a beat lies: −0.25 of 4 lies at 3.75.
  package func phase(_ beat: Int64) -> Int64 {
    guard quantum > 0 else { return 0 }
    let rest = beat % quantum
    return rest < 0 ? rest + quantum : rest
  }

  /// The first beat at or after one that lies as far into its bar as another: from 5, as 1.75, of
  /// 4, it is 5.75.
  package func up(_ beat: Int64, as target: Int64) -> Int64 {
    guard quantum > 0 else { return beat }
    let step = (phase(target) - phase(beat) + quantum) % quantum
    return Int64(clamping: Int128(beat) + Int128(step))
  }

  /// The beat nearest to one that lies as far into its bar as another; the lower of two.
  package func near(_ beat: Int64, as target: Int64) -> Int64 {
    up(Int64(clamping: Int128(beat) - Int128(quantum / 2)), as: target)
  }

  /// What an application counts at a beat of the session's, its bars beginning at an origin.
  package func counted(_ beat: Int64, from origin: Int64) -> Int64 {
    near(beat, as: Int64(clamping: Int128(beat) - Int128(origin)))
  }

  /// The session's beat at what an application counts: the inverse of `counted`.
  package func beat(ofCounted count: Int64, from origin: Int64) -> Int64 {
    let rest = Int64(clamping: Int128(count) - Int128(origin))
    let phase = phase(rest)
    let back = near(quantum - phase, as: quantum - self.phase(count))
    return Int64(
      clamping: Int128(origin) + Int128(rest) - Int128(phase) + Int128(quantum) - Int128(back))
  }
}
