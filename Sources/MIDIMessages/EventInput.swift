// SPDX-License-Identifier: Apache-2.0

/// Something that brings received events: an input port, piped bytes, a test's script.
///
/// - Note: one thread drains an input; which one is the owner's choice.
public protocol EventInput: AnyObject {
  /// The descriptors that become readable when there is something to drain.
  var descriptors: [Int32] { get }

  /// Appends everything received since the last call, in the order of arrival.
  ///
  /// - Throws: where the input is gone.
  func drain(into buffer: inout HostEventBuffer) throws
}
