// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import TerminalViews

/// The live view of a recording.
struct LiveRecord {
  let display: LiveDisplay
  let title: String
  /// How long is recorded, as text; empty where that is open.
  let limit: String
  private var activity = PortActivity()
  private var messages = LiveMessages()

  init(_ display: LiveDisplay, title: String, limit: String) {
    self.display = display
    self.title = title
    self.limit = limit
  }

  /// Takes what was played.
  mutating func take(_ events: borrowing HostEventBuffer) {
    activity.take(events)
  }

  /// Draws; true where a person ends it.
  ///
  /// - Parameters:
  ///   - nanoseconds: how long it has recorded; nil where it has not begun.
  ///   - count: how many events there are.
  /// - Returns: whether it is to end.
  mutating func update(_ nanoseconds: Int64?, count: Int) -> Bool {
    let keys = display.keys()
    if keys.contains(where: display.bindings.quits) { return true }
    messages.update()
    display.show(isUrgent: !keys.isEmpty) {
      var state = LiveState()
      state.title = title
      state.mode = nanoseconds == nil ? .waiting : .recording
      state.time = ((nanoseconds ?? 0) / 1_000_000_000).clockText + limit
      state.fields = [.init("notes", "\(activity.noteCount)"), .init("events", "\(count)")]
      state.channels = activity.rows
      state.message = messages.text
      state.hint = "q end and save"
      return state
    }
    return false
  }
}
