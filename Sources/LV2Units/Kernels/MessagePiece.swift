// SPDX-License-Identifier: Apache-2.0

/// A piece of a MIDI message on its way to a plug-in or from one.
///
/// All but SysEx is one piece. The pieces of a message follow one another at one frame.
struct MessagePiece: BitwiseCopyable, Sendable {
  /// The bytes of a piece.
  static var capacity: Int {
    @_noAllocation @_noLocks
    get { 13 }
  }

  /// The most bytes of a message.
  static var longest: Int {
    @_noAllocation @_noLocks
    get { 4096 }
  }

  /// The bytes of the whole message, in its first piece; 0 in the others.
  let length: UInt16
  private(set) var count: UInt8 = 0
  private var bytes = InlineArray<13, UInt8>(repeating: 0)

  @_noAllocation @_noLocks
  init(length: Int) {
    self.length = UInt16(truncatingIfNeeded: length)
  }

  /// Adds a byte, for which there is room.
  @_noAllocation @_noLocks
  mutating func append(_ byte: UInt8) {
    bytes[Int(count)] = byte
    count &+= 1
  }

  subscript(index: Int) -> UInt8 {
    @_noAllocation @_noLocks
    get { bytes[index] }
  }

  /// The pieces of a message of a number of bytes.
  @_noAllocation @_noLocks
  static func count(of length: Int) -> Int { (length &+ capacity &- 1) / capacity }
}
