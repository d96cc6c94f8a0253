// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio

/// The function or block that receives packets.
@safe
final class PacketReader: @unchecked Sendable {
  // Unchecked: the caller that passed the function is responsible for the thread that calls it.
  private let body: MIDIReadBlock

  init(_ body: @escaping MIDIReadBlock) {
    unsafe self.body = body
  }

  /// A reader that calls a function.
  @unsafe
  convenience init(_ function: @escaping MIDIReadProc, _ data: UnsafeMutableRawPointer?) {
    unsafe self.init { packets, connection in unsafe function(packets, data, connection) }
  }

  /// Passes packets to the block, in one or more lists.
  @unsafe
  func read(_ packets: [TimedBytes], from connection: UnsafeMutableRawPointer?) {
    var rest = packets[...]
    while !rest.isEmpty {
      let list = PacketListStorage(taking: &rest)
      unsafe list.read { unsafe body($0, connection) }
    }
  }
}
