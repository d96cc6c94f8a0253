// SPDX-License-Identifier: Apache-2.0
import LinkProtocol
import MusicalTime
import TestSupport
import Testing

@Suite struct BeatGridTests {
  private let four = BeatGrid(quantum: 4_000_000)
  private let three = BeatGrid(quantum: 3_000_000)

  @Test func `phases and the beats of a phase are those that were reckoned by hand`() {
    #expect(four.phase(-250_000) == 3_750_000)
    #expect(three.phase(-9_250_000) == 2_750_000)
    #expect(four.up(5_000_000, as: 1_750_000) == 5_750_000)
    #expect(three.up(-3_250_000, as: 1_000_000) == -2_000_000)
    #expect(BeatGrid(quantum: 0).phase(7) == 0 && BeatGrid(quantum: 0).up(7, as: 1) == 7)
  }

  @Test(arguments: [
    (0, 4_000_000, 3_000_000), (1_000_000, 6_000_000, 5_000_000),
    (3_300_000, 10_600_000, 9_600_000), (-750_000, 2_500_000, 1_500_000),
  ])
  func `an application counts from its own bars, and back`(
    time: Int64, inFour: Int64, inThree: Int64
  ) {
    let line = LinkTimeline(microsecondsPerBeat: 500_000, beatOrigin: 2_500_000, timeOrigin: 0)
    let beat = line.beats(atGhost: time)
    #expect(four.counted(beat, from: 2_500_000) == inFour)
    #expect(three.counted(beat, from: 2_500_000) == inThree)
    #expect(four.beat(ofCounted: inFour, from: 2_500_000) == beat)
    #expect(three.beat(ofCounted: inThree, from: 2_500_000) == beat)
    #expect(line.ghostTime(atBeats: beat) == time)
  }

  @Test func `counting and its inverse compose anywhere`() {
    var random = SplitMix(seed: 5)
    for _ in 0..<20_000 {
      let grid = BeatGrid(quantum: 2 * .random(in: 1...8_000_000, using: &random))
      let beat = Int64.random(in: -1_000_000_000...1_000_000_000, using: &random)
      let origin = Int64.random(in: -1_000_000_000...1_000_000_000, using: &random)
      let count = grid.counted(beat, from: origin)
      #expect(grid.beat(ofCounted: count, from: origin) == beat)
      #expect(grid.phase(count) == grid.phase(beat - origin))
      #expect(abs(count - beat) <= grid.quantum / 2)
    }
  }

  @Test func `a change of tempo moves no beat and comes after what was`() {
    var random = SplitMix(seed: 6)
    var line = LinkTimeline(microsecondsPerBeat: 500_000, beatOrigin: 0, timeOrigin: 0)
    for step in 1...1_000 {
      let time = Int64(step) * 300_000 + .random(in: -200_000...200_000, using: &random)
      let next = line.changed(to: .random(in: 0...4_000_000, using: &random), atGhost: time)
      #expect(next.beatOrigin > line.beatOrigin)
      #expect(LinkTimeline.tempi.contains(next.microsecondsPerBeat))
      // The origin lies where the lines meet, to half a microsecond.
      #expect(abs(line.ghostTime(atBeats: next.beatOrigin) - next.timeOrigin) <= 1)
      line = next
    }
  }

  @Test func `the line of a session's beats is exact on a clock that runs otherwise`() {
    let timeline = LinkTimeline(
      microsecondsPerBeat: 500_000, beatOrigin: 1_000_000, timeOrigin: 7_000_000)
    let ghost = LinkGhost(
      host: HostTime(nanoseconds: 5_000_000_000), ghost: 6_000_000_000, drift: 100_000)
    let line = ghost.line(timeline)
    for beat in stride(from: -50_000_000 as Int64, to: 50_000_000, by: 333_333) {
      let time = line.timeRoundedUp(atCount: beat)
      let theirs = ghost.nanoseconds(at: time)
      let exact = 7_000_000_000 + (beat - 1_000_000) * 500
      #expect(abs(theirs - exact) <= 2)
    }
  }
}
