// SPDX-License-Identifier: Apache-2.0

/// A piece of a MIDI message on its way to or from a plug-in.
///
/// Every message except a long SysEx is one piece. The pieces of a message follow one another at
/// the same frame.
struct MessagePiece: BitwiseCopyable, Sendable {
  /// The most bytes in a piece.
  static var capacity: Int {
    @_noAllocation @_noLocks
    get { 13 }
  }

  /// The most bytes in a message.
  static var longest: Int {
    @_noAllocation @_noLocks
    get { 4096 }
  }

  /// Length of the whole message in its first piece; 0 in the others.
  let length: UInt16
  private(set) var count: UInt8 = 0
  private var bytes = InlineArray<13, UInt8>(repeating: 0)

  @_noAllocation @_noLocks
  init(length: Int) {
    self.length = UInt16(truncatingIfNeeded: length)
  }

  /// Appends a byte.
  @_noAllocation @_noLocks
  mutating func append(_ byte: UInt8) {
    bytes[Int(count)] = byte
    count &+= 1
  }

  subscript(index: Int) -> UInt8 {
    @_noAllocation @_noLocks
    get { bytes[index] }
  }

  /// Returns the number of pieces for a message of that many bytes.
  @_noAllocation @_noLocks
  static func count(of length: Int) -> Int { (length &+ capacity &- 1) / capacity }
}
