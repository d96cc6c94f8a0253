// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio

/// Who is called with packets.
@safe
final class PacketReader: @unchecked Sendable {
  // Unchecked: whoever gave the function answers for the thread on which it is called.
  private let body: MIDIReadBlock

  init(_ body: @escaping MIDIReadBlock) {
    unsafe self.body = body
  }

  /// A reader that is a function.
  @unsafe
  convenience init(_ function: @escaping MIDIReadProc, _ data: UnsafeMutableRawPointer?) {
    unsafe self.init { packets, connection in unsafe function(packets, data, connection) }
  }

  /// Hands packets over, in as many lists as they need.
  @unsafe
  func read(_ packets: [TimedBytes], from connection: UnsafeMutableRawPointer?) {
    var rest = packets[...]
    while !rest.isEmpty {
      let list = PacketListStorage(taking: &rest)
      unsafe list.read { unsafe body($0, connection) }
    }
  }
}
