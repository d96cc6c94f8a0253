// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio

/// Whom a client tells of changes.
@safe
final class NotificationListener: @unchecked Sendable {
  // Unchecked: whoever gave the function answers for the thread on which it is called.
  private let body: MIDINotifyBlock

  init(_ body: @escaping MIDINotifyBlock) {
    unsafe self.body = body
  }

  /// A listener that is a function; nil where there is none.
  @unsafe
  convenience init?(_ function: MIDINotifyProc?, _ data: UnsafeMutableRawPointer?) {
    guard let function = unsafe function else { return nil }
    unsafe self.init { message in unsafe function(message, data) }
  }

  func tell(_ message: UnsafePointer<MIDINotification>) {
    unsafe body(message)
  }
}
