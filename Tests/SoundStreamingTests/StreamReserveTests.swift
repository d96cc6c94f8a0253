// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SoundStreaming

/// The reserve of streams, for a connection whose speed and time the test sets.
struct StreamReserveTests {
  /// The number of gaps in a minute, for a connection that delivers less sound per second than is
  /// played.
  ///
  /// Each step is 10 ms: sound arrives, and is played if it is available.
  private func gaps(
    speed: Double, seconds: Int = 60, isRealTime: Bool = false
  ) -> (count: Int, last: StreamReserve) {
    var reserve = StreamReserve(seconds: 0.5)
    if isRealTime { reserve.noteRealTime() }
    var (held, queued, count) = (0.0, 0.0, 0)
    var (isPlaying, isHolding) = (false, true)
    for step in 0..<seconds * 100 {
      let now = Duration.milliseconds(10 * step)
      reserve.add(0.01 * speed, at: now)
      held += 0.01 * speed
      if !isHolding || held >= reserve.seconds {
        (queued, held) = (queued + held, 0)
        (isHolding, isPlaying) = (false, true)
      }
      guard isPlaying else { continue }
      queued -= 0.01
      if queued <= 0 {
        (queued, isPlaying, isHolding) = (0, false, true)
        count += 1
        reserve.noteGap(at: now)
      }
    }
    return (count, reserve)
  }

  @Test(arguments: [0.5, 0.6, 0.7, 0.8, 0.9, 0.95])
  func `a slow connection has fewer than three gaps in a minute`(speed: Double) {
    let gaps = gaps(speed: speed)
    #expect(gaps.count < 3, "\(gaps)")
  }

  @Test func `a connection that is fast enough has none`() {
    #expect(gaps(speed: 1).count == 0 && gaps(speed: 1.2).count == 0)
  }

  @Test func `the reserve at least doubles, is limited, and is reset for the next item`() {
    var reserve = StreamReserve(seconds: 0.5)
    var sizes: [Double] = []
    for gap in 1...8 {
      let now = Duration.seconds(100 * gap)
      reserve.noteFull(at: now)
      reserve.add(100, at: now)
      reserve.noteGap(at: now + .seconds(100))
      sizes.append(reserve.seconds)
    }
    #expect(sizes == [1, 2, 4, 8, 16, 16, 16, 16] && reserve.gapCount == 8)
    reserve.reset()
    #expect(reserve.seconds == 0.5 && reserve.gapCount == 0)
  }

  @Test func `sound in real time starts with little, and has the default reserve after a gap`() {
    var reserve = StreamReserve(seconds: 0.5)
    reserve.noteRealTime()
    #expect(reserve.seconds == 0.04)
    reserve.add(10, at: .zero)
    reserve.noteGap(at: .seconds(10))
    #expect(reserve.seconds == 0.5)
  }

  @Test func `sound in pieces starts with the second piece, or with the default reserve`() {
    let reserves = [0.01, 0.125, 0.3, 4].map { piece in
      var reserve = StreamReserve(seconds: 0.5)
      reserve.noteRealTime(piece: piece)
      return reserve.seconds
    }
    #expect(zip(reserves, [0.04, 0.1875, 0.45, 0.5]).allSatisfy { abs($0 - $1) < 1e-9 })
  }

  @Test func `a lost connection is not a slow connection`() {
    var reserve = StreamReserve(seconds: 0.5)
    reserve.noteGap(at: .seconds(1))
    reserve.add(1, at: .seconds(1))
    reserve.noteInterruption()
    reserve.noteGap(at: .seconds(30))
    #expect(reserve.seconds == 2)
  }
}
