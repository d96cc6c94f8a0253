// SPDX-License-Identifier: Apache-2.0
internal import CRealtime

/// Arithmetic in which denormal numbers count as zero, for as long as it is wanted.
///
/// A filter that dies away would otherwise come to numbers that cost a hundred times the time.
///
/// - Note: Real-time safe; concerns the calling thread only.
public enum DenormalFlush {
  /// Begins, and returns what `end` needs to restore.
  @_noAllocation @_noLocks
  public static func begin() -> UInt64 { crealtime_begin_flush() }

  /// Ends it: restores what `begin` returned.
  @_noAllocation @_noLocks
  public static func end(_ control: UInt64) { crealtime_end_flush(control) }
}
