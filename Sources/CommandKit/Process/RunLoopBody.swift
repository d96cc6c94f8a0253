// SPDX-License-Identifier: Apache-2.0

/// The work of a command in its run loop.
package protocol RunLoopBody {
  /// The descriptors that cause the next turn when they are readable; none by default.
  var descriptors: [Int32] { get }

  /// The time of the next turn in nanoseconds of the monotonic clock; nil if only descriptors and
  /// signals cause a turn.
  var deadline: Int64? { get }

  /// Does the work that is due.
  ///
  /// - Returns: False at the end.
  /// - Throws: An error that ends the loop.
  mutating func turn() throws -> Bool

  /// Silences the sound, stops the process (Ctrl-Z), and returns when the process is continued; by
  /// default only stops the process.
  ///
  /// - Parameter signals: The signals; `SignalWatch.pause` stops the process.
  /// - Throws: An error that ends the loop.
  mutating func stop(by signals: SignalWatch) throws
}

extension RunLoopBody {
  package var descriptors: [Int32] { [] }

  package mutating func stop(by signals: SignalWatch) throws {
    signals.pause()
  }
}
