// SPDX-License-Identifier: Apache-2.0
internal import CLilv

/// What plug-ins call while they render, and should not.
///
/// It is for a process that is there for nothing else: what the shared libraries of the process call of
/// the C library is led past a count, and stays so. What a plug-in's worker does is not counted.
///
/// - Note: What the calling thread renders is counted.
package enum RunWatch {
  /// How often each kind was called.
  package struct Calls: Hashable, Sendable {
    /// Memory was asked for.
    package var allocations = 0
    /// Memory was given back.
    package var releases = 0
    /// A lock was taken, which another thread may hold.
    package var locks = 0
    /// Something was waited for: a condition, a semaphore, a thread, a file, or time.
    package var waits = 0
    /// A URI's number was asked for, or a number's URI.
    package var numbers = 0

    /// None.
    package init() {}
  }

  /// Begins to count from 0.
  ///
  /// - Parameter knowsLibraries: whether no library was loaded since the last time; what one of those
  ///   calls that were is not counted.
  package static func begin(knowsLibraries: Bool = false) { clilv_watch(!knowsLibraries) }

  /// What was called since the beginning.
  package static var calls: Calls {
    let counted = clilv_calls()
    var calls = Calls()
    calls.allocations = Int(counted.allocations)
    calls.releases = Int(counted.releases)
    calls.locks = Int(counted.locks)
    calls.waits = Int(counted.waits)
    calls.numbers = Int(counted.numbers)
    return calls
  }
}
