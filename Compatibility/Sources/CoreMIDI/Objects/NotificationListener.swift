// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio

/// The block of a client that is called for changes.
@safe
final class NotificationListener: @unchecked Sendable {
  // Unchecked: the caller that passed the function is responsible for the thread that calls it.
  private let body: MIDINotifyBlock

  init(_ body: @escaping MIDINotifyBlock) {
    unsafe self.body = body
  }

  /// A listener that calls a function, or nil without a function.
  @unsafe
  convenience init?(_ function: MIDINotifyProc?, _ data: UnsafeMutableRawPointer?) {
    guard let function = unsafe function else { return nil }
    unsafe self.init { message in unsafe function(message, data) }
  }

  func tell(_ message: UnsafePointer<MIDINotification>) {
    unsafe body(message)
  }
}
