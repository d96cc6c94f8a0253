// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import JSONText
internal import Realtime
internal import Synchronization

/// Reports how much of a song was skipped because the process was delayed, at most once per second.
package final class HoldUps: Sendable {
  private struct Untold {
    var count = 0
    var nanoseconds: Int64 = 0
    var next: Int64 = 0
  }

  private static let period: Int64 = 1_000_000_000
  private let untold = Mutex(Untold())
  /// True to report only in JSON output.
  private let isQuiet: Bool

  package init(isQuiet: Bool) {
    self.isQuiet = isQuiet
  }

  /// Adds a skipped duration.
  package func add(nanoseconds: Int64) {
    let rest: Untold? = untold.withLock { untold in
      untold.count += 1
      untold.nanoseconds += nanoseconds
      let now = DeadlineWait.now
      guard now >= untold.next else { return nil }
      untold.next = now + Self.period
      return Self.take(&untold)
    }
    if let rest { tell(rest) }
  }

  /// Reports what has not been reported yet.
  package func tellRest() {
    tell(untold.withLock { Self.take(&$0) })
  }

  private static func take(_ untold: inout Untold) -> Untold {
    defer { (untold.count, untold.nanoseconds) = (0, 0) }
    return untold
  }

  private func tell(_ rest: Untold) {
    guard rest.count > 0 else { return }
    let milliseconds = rest.nanoseconds / 1_000_000
    JSONReport.tell(
      "held-up", [("count", .integer(rest.count)), ("milliseconds", .integer(Int(milliseconds)))])
    let often = rest.count == 1 ? "" : " \(rest.count) times"
    guard !isQuiet else { return }
    Terminal.report("playback stalled\(often): skipped \(milliseconds) ms of the song")
  }
}
