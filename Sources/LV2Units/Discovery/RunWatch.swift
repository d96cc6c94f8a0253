// SPDX-License-Identifier: Apache-2.0
internal import CLilv

/// Counts the calls made by plug-ins during rendering that are unsafe in real time.
///
/// Counting redirects the C library calls of the process's shared libraries for the rest of the
/// process, so use it only in a process for this purpose. Calls in a plug-in's worker are not
/// counted.
///
/// - Note: Only calls on the thread that called `begin(knowsLibraries:)` are counted.
package enum RunWatch {
  /// The number of calls, by kind.
  package struct Calls: Hashable, Sendable {
    /// Memory allocations.
    package var allocations = 0
    /// Memory releases.
    package var releases = 0
    /// Acquisitions of a lock that another thread may hold.
    package var locks = 0
    /// Waits for a condition, a semaphore, a thread, a file or a time.
    package var waits = 0
    /// Conversions between a URI and its number.
    package var numbers = 0

    /// Creates counts of zero.
    package init() {}
  }

  /// Starts counting from zero.
  ///
  /// - Parameter knowsLibraries: true if no library was loaded since the last call, which skips the
  ///   search for new libraries. Calls in a library loaded since then are not counted.
  package static func begin(knowsLibraries: Bool = false) { clilv_watch(!knowsLibraries) }

  /// The calls counted since the start.
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
