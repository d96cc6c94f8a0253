// SPDX-License-Identifier: Apache-2.0
package import JSONText
internal import Realtime

/// The events of a player for the socket and for JSON output on standard output.
package struct PlayerEvents {
  package typealias Event = (name: String, members: [(name: String, value: JSONValue)])

  /// The interval between reports of changes, in nanoseconds.
  private static let period: Int64 = 100_000_000

  private var last: PlayStatus?
  private var next: Int64 = 0

  package init() {}

  /// The event for the start of a song, or of the first sound.
  package mutating func begin(_ status: PlayStatus) -> [Event] {
    last = status
    return Self.start(status)
  }

  private static func start(_ status: PlayStatus) -> [Event] {
    // An instrument does not play files.
    guard status.count > 0 else { return [] }
    let told: [ControlProperty] = [.title, .duration, .count]
    return [("start-file", file(status) + told.map { ($0.rawValue, $0.value(of: status)) })]
  }

  /// Returns true if it is time to check for changes: ten times per second, and at once after a
  /// command.
  package mutating func isDue(isUrgent: Bool) -> Bool {
    let now = DeadlineWait.now
    guard isUrgent || now >= next else { return false }
    next = now + Self.period
    return true
  }

  /// The events since the last call.
  package mutating func changes(to status: PlayStatus) -> [Event] {
    defer { last = status }
    guard let last else { return [] }
    var events: [Event] = []
    if status.isPaused != last.isPaused {
      events.append((status.isPaused ? "pause" : "unpause", []))
    }
    if status.index != last.index {
      // The next sound started at the end of the last one, or a command moved to another.
      events +=
        Self.end(last, status.seekCount == last.seekCount ? .finished : .stopped)
        + Self.start(status)
    } else if status.seekCount != last.seekCount {
      events.append(("seek", [("time-pos", ControlProperty.position.value(of: status))]))
    }
    return events
  }

  /// The event for the end of a song or sound.
  package static func end(_ status: PlayStatus, _ reason: EndReason) -> [Event] {
    guard status.count > 0 else { return [] }
    return [("end-file", file(status) + [("reason", .text(reason.rawValue))])]
  }

  private static func file(_ status: PlayStatus) -> [(name: String, value: JSONValue)] {
    [("path", .path(status.path)), ("playlist-pos", .integer(status.index))]
  }
}
