// SPDX-License-Identifier: Apache-2.0
internal import CRealtime
internal import Glibc

/// Keeps the process's memory out of swap, so that a page fault does not wait for a disk.
public enum MemoryLocking {
  /// Locks every page of memory from its first use on.
  ///
  /// Mapped pages that are never used, the larger part of a program and its libraries, are not
  /// loaded.
  ///
  /// If the limit of locked memory is finite, nothing is locked, because later allocations would
  /// fail instead of being swapped.
  ///
  /// - Throws: `RealtimeError.cannotLockMemory`; the program can continue without locked memory.
  /// - Note: Not real-time safe. Call it once, before real-time threads start.
  public static func lockAll() throws(RealtimeError) {
    let limit = crealtime_lockable_memory()
    if geteuid() != 0, limit != .max {
      throw .cannotLockMemory(limit: limit, code: EPERM)
    }
    guard mlockall(Int32(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT)) == 0 else {
      throw .cannotLockMemory(limit: nil, code: errno)
    }
  }
}
