// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
package import MIDIMessages
package import PlayerControl
package import TerminalViews

/// The live view of a recording.
package struct LiveRecord {
  package let frame: LiveFrame
  /// How long is recorded, as text; empty where that is open.
  package let limit: String
  private var activity = PortActivity()

  package init(_ frame: LiveFrame, limit: String) {
    self.frame = frame
    self.limit = limit
  }

  /// Takes what was played.
  package mutating func take(_ events: borrowing HostEventBuffer) {
    activity.take(events)
  }

  /// Draws; true where a person ends it.
  ///
  /// - Parameters:
  ///   - nanoseconds: how long it has recorded; nil where it has not begun.
  ///   - count: how many events there are.
  /// - Returns: whether it is to end.
  package mutating func update(_ nanoseconds: Int64?, count: Int) -> Bool {
    let keys = frame.keys()
    if keys.contains(where: frame.display.bindings.quits) { return true }
    frame.show(isUrgent: !keys.isEmpty) { state in
      Self.fill(&state, activity, nanoseconds, count: count)
      state.time += limit
    }
    return false
  }

  /// Gives a picture what has been recorded so far.
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
