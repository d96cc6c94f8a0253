// SPDX-License-Identifier: Apache-2.0
internal import CRealtime

/// Arithmetic in which denormal numbers are treated as zero.
///
/// Without it, a filter that decays reaches numbers whose arithmetic takes a hundred times as long.
///
/// - Note: Real-time safe; affects only the calling thread.
public enum DenormalFlush {
  /// Begins, and returns the state that `end(_:)` needs.
  @_noAllocation @_noLocks
  public static func begin() -> UInt64 { crealtime_begin_flush() }

  /// Restores the state that `begin()` returned.
  @_noAllocation @_noLocks
  public static func end(_ control: UInt64) { crealtime_end_flush(control) }
}
