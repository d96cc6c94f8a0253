// SPDX-License-Identifier: Apache-2.0
internal import CRealtime

/// Makes the processor treat denormal floating-point numbers as zero on a thread.
///
/// Otherwise, a decaying filter reaches such numbers, with which arithmetic takes a hundred times
/// as long.
///
/// - Note: Real-time safe; affects only the calling thread.
public enum DenormalFlush {
  /// Starts treating denormal numbers as zero, and returns the state that `end(_:)` needs.
  @_noAllocation @_noLocks
  public static func begin() -> UInt64 { crealtime_begin_flush() }

  /// Restores the state before `begin()`.
  ///
  /// - Parameter control: The state that `begin()` returned.
  @_noAllocation @_noLocks
  public static func end(_ control: UInt64) { crealtime_end_flush(control) }
}
