// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
package import MIDIMessages
package import PlayerControl
package import TerminalViews

/// The live view of a recording.
package struct LiveRecord {
  package let frame: LiveFrame
  /// The length of the recording as text; empty if it is not limited.
  package let limit: String
  private var activity = PortActivity()

  package init(_ frame: LiveFrame, limit: String) {
    self.frame = frame
    self.limit = limit
  }

  /// Records events that were received.
  package mutating func take(_ events: borrowing HostEventBuffer) {
    activity.take(events)
  }

  /// Draws the view.
  ///
  /// - Parameters:
  ///   - nanoseconds: The duration of the recording; nil before its start.
  ///   - count: The number of events.
  /// - Returns: True after a key that ends the recording.
  package mutating func update(_ nanoseconds: Int64?, count: Int) -> Bool {
    let keys = frame.keys()
    if keys.contains(where: frame.display.bindings.quits) { return true }
    frame.show(isUrgent: !keys.isEmpty) { state in
      Self.fill(&state, activity, nanoseconds, count: count)
      state.time += limit
    }
    return false
  }

  /// Fills a display with the recording so far.
  package static func fill(
    _ state: inout LiveState, _ activity: PortActivity, _ nanoseconds: Int64?, count: Int
  ) {
    state.mode = nanoseconds == nil ? .waiting : .recording
    state.time = ((nanoseconds ?? 0) / 1_000_000_000).clockText
    state.fields = [.init("notes", "\(activity.noteCount)"), .init("events", "\(count)")]
    state.channels = activity.rows()
    state.hint = "q end and save"
  }
}
