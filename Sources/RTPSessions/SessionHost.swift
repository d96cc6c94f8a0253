// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime
package import Realtime
internal import Synchronization

/// The thread of all sessions of a process, which begins with the first.
package final class SessionHost: Sendable {
  /// What is asked of the thread.
  private enum Command: Sendable {
    case add(@Sendable () -> SessionRun)
    case end
    /// What was asked is done.
    case nothing
  }

  let wait: DeadlineWait
  private let mailbox = Mailbox<Command>()
  private let thread: RealtimeThread

  /// Starts it.
  ///
  /// - Throws: `RealtimeError` where there is no thread or descriptor left.
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
    // The last one to let go of it may be the thread.
    if !thread.isCurrent { thread.join() }
  }

  /// Takes over a session; what makes it is called on the thread.
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
          // A letter is kept until the next is posted, and would keep the session's first ports open.
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
