// SPDX-License-Identifier: Apache-2.0

/// A monitor that reports when ports of one kind appear and disappear.
///
/// - Note: Can be used from any thread. Not real-time safe.
public protocol EndpointMonitor: AnyObject, Sendable {
  /// The file descriptor that becomes readable after a change, until `changes` is called.
  var descriptor: Int32 { get }

  /// The ports at the last call of `changes`, or at the creation of the monitor.
  var endpoints: EndpointList { get }

  /// Returns the changes since the last call, in order.
  ///
  /// Returns immediately.
  ///
  /// An endpoint that vanished and returned in between is reported twice.
  ///
  /// - Throws: An error if the system that provides the ports has ended permanently.
  func changes() throws -> [EndpointChange]
}
