// SPDX-License-Identifier: Apache-2.0

/// A stream to which a command prints.
///
/// - Note: Any thread.
package protocol ConsoleStream: Sendable {
  /// True if it is a terminal, on which lines may be drawn again in place; false by default.
  var isTerminal: Bool { get }
  /// The columns and rows of the terminal; nil, the default, if it is not a terminal.
  var size: (columns: Int, rows: Int)? { get }
  /// Writes all bytes.
  ///
  /// - Throws: `Failure` with exit status 74 if they cannot be written.
  func write(_ bytes: UnsafeRawBufferPointer) throws(Failure)
  /// Closes the stream; does nothing by default.
  ///
  /// - Throws: `Failure` with exit status 74 if earlier bytes were lost.
  func finish() throws(Failure)
}

extension ConsoleStream {
  package var isTerminal: Bool { false }
  package var size: (columns: Int, rows: Int)? { nil }
  package func finish() throws(Failure) {}
}
