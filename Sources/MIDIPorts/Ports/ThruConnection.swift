// SPDX-License-Identifier: Apache-2.0

/// A connection that passes events from ports to ports, with a filter and transform.
///
/// If a note passes the filter, its release passes too. Call `pump` when a descriptor is readable,
/// and every millisecond while `isIdle` is false.
///
/// - Note: Owned by one thread. Not real-time safe.
public protocol ThruConnection: AnyObject {
  /// True if the kernel passes the events.
  var isInKernel: Bool { get }
  /// The file descriptors that become readable when events arrive, or a port appears or disappears.
  var descriptors: [Int32] { get }
  /// True if all received events were passed on and no port holds events back behind a long SysEx.
  ///
  /// If false, call `pump` again soon.
  var isIdle: Bool { get }

  /// Passes on all received events.
  ///
  /// - Throws: An error if the system that provides the ports has ended.
  func pump() throws

  /// Connects again to ports that have returned.
  ///
  /// - Returns: The ports that disappeared or returned, in order.
  /// - Throws: An error if the system that provides the ports has ended.
  func update() throws -> [PortKeeper.Change]

  /// Disconnects, and releases sounding notes.
  func end()

  /// Passes events again after `end`, between the ports that still exist.
  ///
  /// Held notes, and events received meanwhile, are discarded.
  ///
  /// - Throws: An error if the system that provides the ports has ended.
  func reopen() throws
}
