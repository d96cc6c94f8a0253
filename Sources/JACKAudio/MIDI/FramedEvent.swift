// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// An event on its way to a port's buffer.
@safe
struct FramedEvent: BitwiseCopyable, @unchecked Sendable {
  // Unchecked: the bytes are the sender's until it has pushed the event, the kernel's then; the
  // origin is atomic, and the port keeps it.

  /// What an origin is while its output has had no turn.
  static var unknownOrigin: Int64 {
    @_noAllocation @_noLocks
    get { .min }
  }
  /// What an origin is when its output will have none.
  static var noOrigin: Int64 {
    @_noAllocation @_noLocks
    get { .max }
  }

  /// The frame at which it is due: the client's count, or the output's of the origin.
  var frame: Int64
  /// How many cancellations came before it.
  var epoch: UInt32
  /// The bytes of `long`, or of the message.
  var count: UInt32
  /// Up to three bytes, the first lowest.
  var short: UInt32
  /// Whether it was written into a port's buffer, once it is given back.
  var hasLeft = false
  /// How many bytes of `long` have left in turns before.
  var written: UInt32 = 0
  /// A message that is longer.
  var long: UnsafeMutablePointer<UInt8>?
  /// Where the count begins; nil for the client's own.
  var origin: UnsafePointer<Atomic<Int64>>?
}

/// An order to forget what was sent before it and is due from a frame on.
@safe
struct FramedCancellation: BitwiseCopyable, @unchecked Sendable {
  // Unchecked: the origin is atomic, and the port keeps it.

  var epoch: UInt32
  var frame: Int64
  /// Where the count begins; nil for the client's own.
  var origin: UnsafePointer<Atomic<Int64>>?
}
