// SPDX-License-Identifier: Apache-2.0
package import ClockService
package import CommandKit
internal import CommandOptions
internal import JSONText
package import MusicalTime
internal import PlayerControl
internal import PlayerViews

extension Transport {
  /// Tells other programs that the clock is there, and from then on what it does.
  ///
  /// - Throws: `Failure` with status 74 where standard output takes nothing.
  package func begin(_ members: JSONReport.Members) throws {
    guard JSONReport.isOn else { return }
    try JSONReport.begin(members)
    try observe { event in
      switch event {
      case .master(let event):
        if let words = event.sentence { JSONReport.tell(event, words) }
      case .started(let tick, let time): Self.tell("start", tick, time)
      case .stopped(_, let tick, let time): Self.tell("stop", tick, time)
      case .located(let tick, let time): Self.tell("locate", tick, time)
      default: break
      }
    }
  }

  private static func tell(_ event: String, _ tick: Tick, _ time: HostTime) {
    JSONReport.tell(
      event, [("tick", .integer(Int(tick.value))), ("host", .integer(Int(time.nanoseconds)))])
  }
}

extension JSONReport {
  /// Tells of a tempo that was set.
  package static func tell(_ tempo: Tempo) {
    tell("tempo", [("tempo", .decimal(tempo.beatsPerMinute.decimal(4)))])
  }
}
