// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import Downbeat
internal import PlayerControl
internal import Realtime

/// The last message, which is shown for 4 s.
package struct LiveMessages {
  /// The time for which a message is shown, in nanoseconds.
  private static let stay: Int64 = 4_000_000_000

  package private(set) var text = ""
  private var end: Int64 = 0
  private var lastHeld: String?

  /// Shows a message in place of the previous one.
  package mutating func say(_ text: String) {
    self.text = text
    end = DeadlineWait.now + Self.stay
  }

  /// Shows messages that were printed meanwhile, and removes an old message.
  package mutating func update() {
    let held = HeldLines.last
    if held != lastHeld, let held { say(held) }
    lastHeld = held
    if DeadlineWait.now > end { text = "" }
  }
}

/// The load of the render thread in the last half second.
struct LiveLoad {
  private static let period: Int64 = 500_000_000

  /// The load in percent; empty before the first measurement.
  private(set) var text = ""
  private var last: RenderLoad?
  private var next: Int64 = 0

  /// Measures the load, if the last measurement is at least half a second old.
  mutating func update(_ load: @autoclosure () -> RenderLoad) {
    guard DeadlineWait.now >= next else { return }
    next = DeadlineWait.now + Self.period
    let now = load()
    if let last { text = "\((now.share(since: last) * 100).decimal(0)) %" }
    last = now
  }
}
