// SPDX-License-Identifier: Apache-2.0

/// An input that receives events, such as a port, bytes from a pipe, or the script of a test.
///
/// - Note: Only one thread drains an input; the owner of the input decides which.
public protocol EventInput: AnyObject {
  /// The file descriptors that become readable when events are available.
  var descriptors: [Int32] { get }

  /// Appends the events that were received since the last call, in order of arrival.
  ///
  /// - Throws: An error if the input is no longer available.
  func drain(into buffer: inout HostEventBuffer) throws
}
