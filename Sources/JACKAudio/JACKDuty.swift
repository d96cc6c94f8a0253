// SPDX-License-Identifier: Apache-2.0
internal import CJACK

/// A group of ports with the work that the client does for them in each cycle.
///
/// - Note: Control side, except for functions that are called by the server.
class JACKDuty: @unchecked Sendable {
  // Unchecked: while the client has the duty, only `process` uses its state; the rest is changed
  // before or after that.

  /// The order in a cycle: first receiving, then playing, then sending.
  enum Order: Int {
    case receiving
    case playing
    case sending

    static var last: Order { .sending }
  }

  var order: Order { .playing }

  /// Registers the ports with a client, at first and after each return of the server.
  func open(_ handle: JACKHandle) throws(JACKError) {}

  /// Connects the ports, once the client is active.
  ///
  /// - Returns: True if the number of connected ports is the same as at first.
  @discardableResult
  func connect(_ handle: JACKHandle) throws(JACKError) -> Bool { true }

  /// Unregisters the ports from a client that still exists.
  func close(_ handle: JACKHandle) {}

  /// Processes a cycle, on the server's thread.
  ///
  /// - Note: Real-time safe.
  func process(_ cycle: JACKCycle) {}

  /// Processes a repeated cycle, on the server's thread; the ports still contain the previous
  /// output.
  ///
  /// By default JACK 2 does not wait for late clients, but repeats the cycle of clients
  /// that depend on one which finishes late: its output may only be available now.
  ///
  /// - Note: Real-time safe.
  func processAgain(_ cycle: JACKCycle) {}

  /// Writes silence if the server's rate differs from that of the client, on the server's thread.
  ///
  /// - Note: Real-time safe.
  func rest(_ cycle: JACKCycle) {}

  /// Reports and reads latencies after the server has recalculated them, on a thread of the server.
  func lookAtLatency(_ mode: JackLatencyCallbackMode, _ library: JACKLibrary) {}

  /// True if the latency of its ports differs from the one that was reported.
  var hasOtherLatency: Bool { false }

  /// Checks the connections after they or a latency may have changed.
  func lookAtConnections(_ handle: JACKHandle, beside duties: [JACKDuty]) {}

  /// Notes that the server is gone, or back.
  func note(isAway: Bool) {}
}
