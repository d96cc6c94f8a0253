// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime
package import Realtime
internal import Synchronization

/// The thread of all sessions of a process, which starts with the first session.
package final class SessionHost: Sendable {
  /// A command for the thread.
  private enum Command: Sendable {
    case add(@Sendable () -> SessionRun)
    case end
    /// A command that has been executed.
    case nothing
  }

  let wait: DeadlineWait
  private let mailbox = Mailbox<Command>()
  private let thread: RealtimeThread

  /// Starts the thread.
  ///
  /// - Throws: `RealtimeError` if a thread or file descriptor is not available.
  package init() throws(RealtimeError) {
    let wait = try DeadlineWait()
    self.wait = wait
    let mailbox = mailbox
    thread = try RealtimeThread(name: "downbeat rtp", priority: 40) {
      Self.run(wait, mailbox)
    }
  }

  deinit {
    mailbox.post(.end)
    wait.wake()
    // The last reference can be released on the thread itself.
    if !thread.isCurrent { thread.join() }
  }

  /// Adds a session; `make` is called on the thread.
  func add(_ make: @escaping @Sendable () -> SessionRun) {
    mailbox.post(.add(make))
    wait.wake()
  }

  private static func run(_ wait: DeadlineWait, _ mailbox: Mailbox<Command>) {
    var runs: [SessionRun] = []
    var hasEnded = false
    while true {
      mailbox.takeEach { command in
        switch command {
        case .add(let make):
          runs.append(make())
          // The mailbox keeps a letter until the next one, which would keep the session's first
          // ports open.
          command = .nothing
        case .end: hasEnded = true
        case .nothing: break
        }
      }
      for run in runs { run.step() }
      if hasEnded { return }
      runs.removeAll { $0.hasEnded }
      let next = runs.map(\.nextDue.nanoseconds).min()
      _ = wait.wait(until: next, readable: runs.flatMap(\.descriptors))
    }
  }
}
