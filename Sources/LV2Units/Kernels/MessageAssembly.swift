// SPDX-License-Identifier: Apache-2.0

/// Puts the pieces of messages together.
///
/// It names memory that its owner frees.
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

  /// Adds a piece; returns the length of the message where it is whole, and 0 where it is not.
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
