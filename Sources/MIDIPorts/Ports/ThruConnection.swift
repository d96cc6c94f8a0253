// SPDX-License-Identifier: Apache-2.0

/// Carries what comes from some ports to others, filtered and changed on the way.
///
/// A release always follows its note. `pump` carries what has come, and is called when a descriptor
/// can be read, and every millisecond while it is not idle.
///
/// - Note: owned by one thread. Not real-time safe.
public protocol ThruConnection: AnyObject {
  /// Whether the kernel carries the events.
  var isInKernel: Bool { get }
  /// What becomes readable when there is something to carry, or a port has come or gone.
  var descriptors: [Int32] { get }
  /// Whether everything that came was handed on, and no port holds anything back behind a long SysEx; if
  /// not, pump again soon.
  var isIdle: Bool { get }

  /// Carries everything that has come.
  ///
  /// - Throws: where what has the ports is gone.
  func pump() throws

  /// Connects again what is back.
  ///
  /// - Throws: where what has the ports is gone.
  func update() throws -> [PortKeeper.Change]

  /// Disconnects, and releases what sounds.
  func end()

  /// Passes events again after `end`, between those ports that are still there; what was held or had
  /// come meanwhile is forgotten.
  ///
  /// - Throws: where what has the ports is gone.
  func reopen() throws
}
