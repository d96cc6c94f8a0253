// SPDX-License-Identifier: Apache-2.0

/// Assembles messages from their pieces.
///
/// The owner frees the memory.
@safe
struct MessageAssembly: BitwiseCopyable {
  let bytes: UnsafeMutablePointer<UInt8>
  private var length = 0
  private var count = 0

  init() {
    unsafe bytes = .allocate(capacity: MessagePiece.longest)
    unsafe bytes.initialize(repeating: 0, count: MessagePiece.longest)
  }

  func deallocate() {
    unsafe bytes.deallocate()
  }

  /// Adds a piece; returns the length of the message if it is complete, otherwise 0.
  @_noAllocation @_noLocks
  mutating func add(_ piece: MessagePiece) -> Int {
    if piece.length > 0 { (length, count) = (Int(piece.length), 0) }
    for index in 0..<Int(piece.count) where count < MessagePiece.longest {
      unsafe bytes[count] = piece[index]
      count &+= 1
    }
    return count == length ? length : 0
  }
}
