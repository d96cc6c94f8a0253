// SPDX-License-Identifier: Apache-2.0
internal import CJACK

/// Something that a client does in each turn of its server: ports that belong together.
///
/// - Note: what is not said to be called by the server is control side.
class JACKDuty: @unchecked Sendable {
  // Unchecked: `process` alone touches what it needs while the duty is the client's; the rest is
  // changed only while it is not.

  /// When it has its turn among the others: what is received, what is played, what is sent.
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
  /// - Returns: whether as many are connected as were at first.
  @discardableResult
  func connect(_ handle: JACKHandle) throws(JACKError) -> Bool { true }

  /// Takes the ports from a client that is still there.
  func close(_ handle: JACKHandle) {}

  /// Has its turn, on the server's thread.
  ///
  /// - Note: Real-time safe.
  func process(_ cycle: JACKCycle) {}

  /// Has a turn once more that it has had, on the server's thread: what it gave lies in its ports still.
  ///
  /// JACK 2 does not wait for clients that are late, unless it is told to, and wakes whoever hears one
  /// that comes too late a second time: what that gave may be there only now.
  ///
  /// - Note: Real-time safe.
  func processAgain(_ cycle: JACKCycle) {}

  /// Gives silence where the server's rate is not the client's, on the server's thread.
  ///
  /// - Note: Real-time safe.
  func rest(_ cycle: JACKCycle) {}

  /// Says and asks how late ports are, where the server has found that out anew, on a thread of its.
  func lookAtLatency(_ mode: JackLatencyCallbackMode, _ library: JACKLibrary) {}

  /// Whether its ports are late by another time than was told.
  var hasOtherLatency: Bool { false }

  /// Sees who is connected, where that or a latency may have changed.
  func lookAtConnections(_ handle: JACKHandle, beside duties: [JACKDuty]) {}

  /// Takes note that the server is gone, or back.
  func note(isAway: Bool) {}
}
