// SPDX-License-Identifier: Apache-2.0
internal import CRealtime
internal import Glibc

/// Keeps the process's memory out of swap, so that no page fault waits for a disk.
public enum MemoryLocking {
  /// Locks every page that has been used, from its first use on.
  ///
  /// What is mapped and never used stays where it is: of a program and its libraries that is most.
  ///
  /// Nothing is locked where the limit is finite: with a limit, a later allocation would fail
  /// instead of being swapped.
  ///
  /// - Throws: `RealtimeError.cannotLockMemory`; the program can go on without.
  /// - Note: Not real-time safe. Call once, before threads with deadlines start.
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
