// SPDX-License-Identifier: Apache-2.0

/// A stream that a command prints to.
///
/// - Note: any thread.
package protocol ConsoleStream: Sendable {
  /// True if a terminal shows it, and lines may be drawn over.
  var isTerminal: Bool { get }
  /// The columns and rows of the terminal; nil if it has none.
  var size: (columns: Int, rows: Int)? { get }
  /// Writes all of some bytes.
  ///
  /// - Throws: `Failure` with status 74 if they cannot be written.
  func write(_ bytes: UnsafeRawBufferPointer) throws(Failure)
  /// Ends the stream.
  ///
  /// - Throws: `Failure` with status 74 if bytes that were written are lost.
  func finish() throws(Failure)
}

extension ConsoleStream {
  package var isTerminal: Bool { false }
  package var size: (columns: Int, rows: Int)? { nil }
  package func finish() throws(Failure) {}
}
