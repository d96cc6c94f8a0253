// SPDX-License-Identifier: Apache-2.0

/// The work of a command in its run loop.
package protocol RunLoopBody {
  /// The descriptors that call for the next turn once they are readable.
  var descriptors: [Int32] { get }

  /// The instant of the next turn, in nanoseconds of the monotonic clock; nil if only descriptors
  /// and signals call for it.
  var deadline: Int64? { get }

  /// Does what is due.
  ///
  /// - Returns: false at the end.
  /// - Throws: an error that ends the loop.
  mutating func turn() throws -> Bool

  /// Falls silent, stops the process (Ctrl-Z), and goes on once it is continued.
  ///
  /// - Parameter signals: the signals; `SignalWatch.pause` stops the process.
  /// - Throws: an error that ends the loop.
  mutating func stop(by signals: SignalWatch) throws
}

extension RunLoopBody {
  package var descriptors: [Int32] { [] }

  package mutating func stop(by signals: SignalWatch) throws {
    signals.pause()
  }
}
