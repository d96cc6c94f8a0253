// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Where frame 0 of an output lies in its client's count of frames.
///
/// Ports that send in line with the output keep it: what is on its way to the server's thread refers
/// to it by address.
///
/// - Note: the server's thread writes it, any thread reads it.
@safe
final class FrameOrigin: @unchecked Sendable {
  // Unchecked: the memory is atomic, and freed by the last owner.

  /// What events carry.
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

  /// The client's count at the output's frame 0, or what a `FramedEvent` has in its place.
  var frame: Int64 { unsafe memory.pointee.load(ordering: .acquiring) }

  /// Tells it.
  ///
  /// - Note: Real-time safe.
  func set(_ frame: Int64) {
    unsafe memory.pointee.store(frame, ordering: .releasing)
  }
}
