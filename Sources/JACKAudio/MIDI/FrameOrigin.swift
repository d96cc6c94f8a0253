// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The client's frame count at frame 0 of an output.
///
/// Ports that are synchronised with the output retain it, because events to the server's thread
/// refer to it by address.
///
/// - Note: The server's thread writes it, any thread reads it.
@safe
final class FrameOrigin: @unchecked Sendable {
  // Unchecked: the memory is atomic, and freed by the last owner.

  /// The address that events contain.
  let address: UnsafePointer<Atomic<Int64>>
  private let memory: UnsafeMutablePointer<Atomic<Int64>>

  init() {
    unsafe memory = .allocate(capacity: 1)
    unsafe memory.initialize(to: Atomic(FramedEvent.unknownOrigin))
    unsafe address = UnsafePointer(memory)
  }

  deinit {
    unsafe memory.deinitialize(count: 1)
    unsafe memory.deallocate()
  }

  /// The client's count at the output's frame 0, or a special value of `FramedEvent`.
  var frame: Int64 { unsafe memory.pointee.load(ordering: .acquiring) }

  /// Sets it.
  ///
  /// - Note: Real-time safe.
  func set(_ frame: Int64) {
    unsafe memory.pointee.store(frame, ordering: .releasing)
  }
}
