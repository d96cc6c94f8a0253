// SPDX-License-Identifier: Apache-2.0
import Glibc
import Realtime

/// Publishes rows of six words that agree until it is killed: `TestProbe writer NAME MICROSECONDS`.
enum SharedWriter {
  private struct Row: SharedValue {
    var words: (Int, Int, Int, Int, Int, Int)
    var tail: UInt8

    init(_ value: Int) {
      words = (value, value &* 3, ~value, value &+ 7, value &* 11, -value)
      tail = UInt8(truncatingIfNeeded: value)
    }

    var isSound: Bool { true }
  }

  static func run(_ words: [String]) throws {
    let publisher = try SharedSnapshotPublisher(name: words[0], Row(1))
    // One write is made before the process can be killed.
    publisher.write(Row(2))
    let delay = UInt32(words[1]) ?? 0
    let killer = try RealtimeThread(name: "killer", priority: 1) {
      usleep(delay)
      kill(getpid(), SIGKILL)
    }
    withExtendedLifetime(killer) {
      var value = 2
      while true {
        value += 1
        publisher.write(Row(value))
      }
    }
  }
}
