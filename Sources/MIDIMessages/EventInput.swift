// SPDX-License-Identifier: Apache-2.0

/// A source of received events: an input port, piped bytes, the script of a test.
///
/// - Note: Only one thread drains an input; its owner decides which.
public protocol EventInput: AnyObject {
  /// The file descriptors that become readable when events are available.
  var descriptors: [Int32] { get }

  /// Appends everything received since the last call, in order of arrival.
  ///
  /// - Throws: An error if the input is no longer available.
  func drain(into buffer: inout HostEventBuffer) throws
}
