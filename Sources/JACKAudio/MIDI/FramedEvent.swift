// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// An event for the buffer of a port.
@safe
struct FramedEvent: BitwiseCopyable, @unchecked Sendable {
  // Unchecked: the bytes belong to the sender until it has pushed the event, and then to the
  // kernel; the origin is atomic, and retained by the port.

  /// The value of an origin before its output has had a cycle.
  static var unknownOrigin: Int64 {
    @_noAllocation @_noLocks
    get { .min }
  }
  /// The value of an origin whose output will not have a cycle.
  static var noOrigin: Int64 {
    @_noAllocation @_noLocks
    get { .max }
  }

  /// The frame at which it is due, in the client's count, or in that of the origin's output.
  var frame: Int64
  /// The number of cancellations before it.
  var epoch: UInt32
  /// The number of bytes of `long`, or of the message.
  var count: UInt32
  /// Up to three bytes, the first in the lowest bits.
  var short: UInt32
  /// True if it was written into a port's buffer; set when it is returned.
  var hasLeft = false
  /// The number of bytes of `long` that were written in previous cycles.
  var written: UInt32 = 0
  /// The bytes of a longer message.
  var long: UnsafeMutablePointer<UInt8>?
  /// The start of the count; nil for that of the client.
  var origin: UnsafePointer<Atomic<Int64>>?
}

/// An order to drop the events sent before it that are due from a frame on.
@safe
struct FramedCancellation: BitwiseCopyable, @unchecked Sendable {
  // Unchecked: the origin is atomic, and retained by the port.

  var epoch: UInt32
  var frame: Int64
  /// The start of the count; nil for that of the client.
  var origin: UnsafePointer<Atomic<Int64>>?
}
