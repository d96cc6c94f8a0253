// SPDX-License-Identifier: Apache-2.0
package import ClockService
package import CommandOptions

/// The sentences about a master, which depend on whether it runs.
package struct MasterNews: Sendable {
  /// True if the master is a MIDI clock, which moves the song only after Start or Continue.
  private let awaitsStart: Bool
  private var isRunning = false

  /// Creates the news of a master that has not started.
  ///
  /// - Parameter kind: The kind of master; nil for none.
  package init(of kind: SyncSource.Kind?) {
    awaitsStart = kind == .midi
  }

  /// The sentence about an event, or nil if it is not reported.
  package mutating func sentence(about event: FollowerEvent) -> String? {
    switch event {
    case .started: isRunning = true
    case .stopped: isRunning = false
    case .locked where awaitsStart && !isRunning:
      return "locked; waiting for Start (press Start or Continue on the master)"
    case .freewheeling where !isRunning: return "no clock received while stopped"
    case .lost where !isRunning: return "no clock: the master is off, or sends none while stopped"
    default: break
    }
    return event.sentence
  }
}
