// SPDX-License-Identifier: Apache-2.0
package import NetworkSockets
package import Realtime
internal import Synchronization

/// Finds the RTP-MIDI sessions on the network with Avahi, and announces sessions of the program.
///
/// It has a separate thread, because the bus can block. Without Avahi nothing is found, and Avahi
/// is tried again every few seconds. Call `end` when the directory is not needed any more.
///
/// - Note: Can be used from any thread.
package final class ServiceDirectory: Sendable {
  /// A session that can be invited.
  package struct Service: Hashable, Sendable {
    /// The name, unique on the network.
    package let name: String
    /// The name of the machine.
    package let host: String
    /// The address of the control port.
    package let address: SocketAddress
  }

  /// The service type of RTP-MIDI sessions.
  package static let type = "_apple-midi._udp"

  /// The published state.
  struct Knowledge {
    var services: [Service] = []
    var isSettled = false
    var isThere = false
  }

  /// A command for the thread.
  enum Command: Sendable {
    case announce(name: String, port: UInt16)
    case withdraw(port: UInt16)
    case end
  }

  /// Memory that the thread writes and other threads read.
  private final class Board: Sendable {
    let knowledge = Mutex(Knowledge())
  }

  private let board: Board
  private let mailbox: Mailbox<Command>
  private let poll: AvahiPolling?
  private let thread: RealtimeThread
  private let hasEnded = Atomic(false)

  /// Starts to search.
  ///
  /// - Parameter tell: Called on the thread after changes.
  /// - Throws: `RealtimeError` if a thread cannot be created.
  package init(telling tell: @escaping @Sendable () -> Void = {}) throws(RealtimeError) {
    let (board, mailbox, poll) = (Board(), Mailbox<Command>(), AvahiPolling())
    (self.board, self.mailbox, self.poll) = (board, mailbox, poll)
    thread = try RealtimeThread(name: "downbeat avahi", priority: nil) {
      guard let poll else { return board.knowledge.withLock { $0.isSettled = true } }
      AvahiRun(poll, mailbox) { knowledge in
        board.knowledge.withLock { $0 = knowledge }
        tell()
      }.run()
    }
  }

  /// True if Avahi's library and daemon are available.
  package var isThere: Bool { board.knowledge.withLock { $0.isThere } }

  /// True if the sessions that are present have been found.
  package var isSettled: Bool { board.knowledge.withLock { $0.isSettled } }

  /// The sessions that are present, in order of name.
  package var services: [Service] { board.knowledge.withLock { $0.services } }

  /// Announces a session of the program.
  ///
  /// If its name is in use, a number is added.
  package func announce(name: String, port: UInt16) { post(.announce(name: name, port: port)) }

  /// Withdraws an announcement.
  package func withdraw(port: UInt16) { post(.withdraw(port: port)) }

  /// Ends the thread and withdraws all announcements.
  package func end() {
    guard !hasEnded.exchange(true, ordering: .relaxed) else { return }
    post(.end)
    // The last reference can be released on the thread itself.
    if !thread.isCurrent { thread.join() }
  }

  private func post(_ command: Command) {
    mailbox.post(command)
    poll?.wake()
  }
}
