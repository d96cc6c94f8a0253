// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import Downbeat
internal import PlayerControl
internal import Realtime

/// What was said last, as long as it is shown.
package struct LiveMessages {
  /// How long it stays, in nanoseconds.
  private static let stay: Int64 = 4_000_000_000

  package private(set) var text = ""
  private var end: Int64 = 0
  private var lastHeld: String?

  /// Says something in the place of what was said before.
  package mutating func say(_ text: String) {
    self.text = text
    end = DeadlineWait.now + Self.stay
  }

  /// Takes up what was said elsewhere meanwhile, and lets go of what is old.
  package mutating func update() {
    let held = HeldLines.last
    if held != lastHeld, let held { say(held) }
    lastHeld = held
    if DeadlineWait.now > end { text = "" }
  }
}

/// How much of its time the render thread works, as a part of the last half second.
struct LiveLoad {
  private static let period: Int64 = 500_000_000

  /// In percent; empty where nothing has been measured yet.
  private(set) var text = ""
  private var last: RenderLoad?
  private var next: Int64 = 0

  /// Measures, where the last time was a while ago.
  mutating func update(_ load: @autoclosure () -> RenderLoad) {
    guard DeadlineWait.now >= next else { return }
    next = DeadlineWait.now + Self.period
    let now = load()
    if let last { text = "\((now.share(since: last) * 100).decimal(0)) %" }
    last = now
  }
}
