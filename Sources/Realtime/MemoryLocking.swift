// SPDX-License-Identifier: Apache-2.0
internal import CRealtime
internal import Glibc

/// Locks the process's memory in RAM, so that it is not swapped to disk.
public enum MemoryLocking {
  /// Locks each page of memory when it is first used.
  ///
  /// Pages that are never used, such as most of a program and its libraries, are not loaded.
  ///
  /// If the system limits the amount of locked memory, nothing is locked, because later allocations
  /// could fail.
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
