// SPDX-License-Identifier: Apache-2.0
package import NetworkSockets
package import Realtime
internal import Synchronization

/// Sessions of others on this network, as Avahi finds them, and ours that it announces.
///
/// It has a thread of its own, since the bus may keep it waiting. Where there is no Avahi nothing is
/// found, and it is looked for again every few seconds.
///
/// - Note: any thread may use it. `end` it: it does not end by itself.
package final class ServiceDirectory: Sendable {
  /// A session that can be invited.
  package struct Service: Hashable, Sendable {
    /// What it is called; unique on the network.
    package let name: String
    /// The name of the machine.
    package let host: String
    /// Its port for control.
    package let address: SocketAddress
  }

  /// The service of MIDI sessions.
  package static let type = "_apple-midi._udp"

  /// What is known at present.
  struct Knowledge {
    var services: [Service] = []
    var isSettled = false
    var isThere = false
  }

  /// What is asked of the thread.
  enum Command: Sendable {
    case announce(name: String, port: UInt16)
    case withdraw(port: UInt16)
    case end
  }

  /// What the thread writes and others read.
  private final class Board: Sendable {
    let knowledge = Mutex(Knowledge())
  }

  private let board: Board
  private let mailbox: Mailbox<Command>
  private let poll: AvahiPolling?
  private let thread: RealtimeThread
  private let hasEnded = Atomic(false)

  /// Begins to look.
  ///
  /// - Parameter tell: Called on the thread where what is known has changed.
  /// - Throws: `RealtimeError` where no thread can be had.
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

  /// Whether there is anything that looks: the library, and the daemon.
  package var isThere: Bool { board.knowledge.withLock { $0.isThere } }

  /// Whether what is there at present has been found.
  package var isSettled: Bool { board.knowledge.withLock { $0.isSettled } }

  /// What is there at present, by name.
  package var services: [Service] { board.knowledge.withLock { $0.services } }

  /// Lets others find a session of ours; where its name is taken, under one with a number behind.
  package func announce(name: String, port: UInt16) { post(.announce(name: name, port: port)) }

  /// Lets others no longer find it.
  package func withdraw(port: UInt16) { post(.withdraw(port: port)) }

  /// Ends; what was announced is withdrawn.
  package func end() {
    guard !hasEnded.exchange(true, ordering: .relaxed) else { return }
    post(.end)
    // The last one to let go of it may be the thread.
    if !thread.isCurrent { thread.join() }
  }

  private func post(_ command: Command) {
    mailbox.post(command)
    poll?.wake()
  }
}
