// SPDX-License-Identifier: Apache-2.0
package import ClockService
package import CommandKit
package import CommandOptions
internal import JSONText
package import MusicalTime
internal import PlayerControl
internal import PlayerViews
internal import Synchronization

extension Transport {
  /// Reports, with `--json`, that the clock has started, and from then on its events.
  ///
  /// - Parameters:
  ///   - members: The members of the first document.
  ///   - kind: The kind of its master; nil, the default, for none.
  /// - Throws: `Failure` with exit status 74 if standard output cannot be written.
  package func begin(
    _ members: JSONReport.Members, following kind: SyncSource.Kind? = nil
  ) throws {
    guard JSONReport.isOn else { return }
    try JSONReport.begin(members)
    let news = Mutex(MasterNews(of: kind))
    try observe { event in
      switch event {
      case .master(let event):
        let words = news.withLock { $0.sentence(about: event) }
        if let words { JSONReport.tell(event, words) }
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
  /// Reports a new tempo.
  package static func tell(_ tempo: Tempo) {
    tell("tempo", [("tempo", .decimal(tempo.beatsPerMinute.decimal(4)))])
  }
}
