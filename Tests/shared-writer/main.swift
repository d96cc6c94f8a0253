// SPDX-License-Identifier: Apache-2.0
// Publishes rows of six words that agree until it is killed: `SharedWriter NAME MICROSECONDS`.
import Glibc
import Realtime

struct Row: SharedValue {
  var words: (Int, Int, Int, Int, Int, Int)
  var tail: UInt8

  init(_ value: Int) {
    words = (value, value &* 3, ~value, value &+ 7, value &* 11, -value)
    tail = UInt8(truncatingIfNeeded: value)
  }

  var isSound: Bool { true }
}

let publisher = try SharedSnapshotPublisher(name: CommandLine.arguments[1], Row(1))
// Something is written, however late this thread comes to go on.
publisher.write(Row(2))
let delay = UInt32(CommandLine.arguments[2]) ?? 0
let killer = try RealtimeThread(name: "killer", priority: 1) {
  usleep(delay)
  kill(getpid(), SIGKILL)
}
var value = 2
while true {
  value += 1
  publisher.write(Row(value))
}
