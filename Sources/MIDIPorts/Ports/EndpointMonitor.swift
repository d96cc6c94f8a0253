// SPDX-License-Identifier: Apache-2.0

/// Tells of ports of one kind that come and go.
///
/// - Note: any thread may use it. Not real-time safe.
public protocol EndpointMonitor: AnyObject, Sendable {
  /// The descriptor that becomes readable when something has happened, until `changes` is called.
  var descriptor: Int32 { get }

  /// The ports as of the last call of `changes`, or of the monitor's beginning.
  var endpoints: EndpointList { get }

  /// What has happened since the last call, in order; at once, and empty where nothing has.
  ///
  /// An endpoint that vanished and came back in between is told of twice.
  ///
  /// - Throws: where what has the ports is gone and will not be back.
  func changes() throws -> [EndpointChange]
}
