// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import Realtime

/// The single wait of a running command: for signals, descriptors and deadlines.
///
/// A signal ends the wait at once, without polling.
///
/// - Note: One thread.
package struct RunLoop {
  /// The reason why a wait ended.
  package enum Wake {
    /// The deadline was reached.
    case deadline
    /// A descriptor is readable, or a signal arrived that does not end the process.
    case event
    /// A signal arrived that ends or stops the process (`SignalWatch.signal`).
    case signal(Int32)
  }

  /// The signals that end a wait.
  package let signals: SignalWatch
  private let timer: DeadlineWait

  /// Creates a run loop.
  ///
  /// - Parameter signals: The signals that end a wait.
  /// - Throws: `RealtimeError` if the system's descriptors are exhausted.
  package init(_ signals: SignalWatch) throws(RealtimeError) {
    self.signals = signals
    timer = try DeadlineWait()
    signals.wake(timer)
  }

  /// Waits for a deadline, a descriptor or a signal.
  ///
  /// - Parameters:
  ///   - deadline: The deadline in nanoseconds of the monotonic clock; nil for none.
  ///   - descriptors: The descriptors to wait for; none by default.
  /// - Returns: The reason; a signal has priority.
  package func wait(until deadline: Int64?, readable descriptors: [Int32] = []) -> Wake {
    if let number = signals.signal { return .signal(number) }
    let reason = timer.wait(until: deadline, readable: descriptors)
    if let number = signals.signal { return .signal(number) }
    return reason == .deadline ? .deadline : .event
  }

  /// Waits until a descriptor is readable; a signal ends the process.
  ///
  /// - Parameter descriptors: The descriptors.
  package func waitUntilReadable(_ descriptors: [Int32]) {
    if case .signal(let number) = wait(until: nil, readable: descriptors) {
      SignalWatch.die(by: number)
    }
  }

  /// Calls `turn` whenever a descriptor is readable, a signal has arrived or the deadline is
  /// reached, until it returns false.
  ///
  /// - Parameter body: The work of the command.
  /// - Returns: The signal that ended the loop; nil if the body ended it.
  /// - Throws: The errors of the body.
  package func run<Body: RunLoopBody>(_ body: inout Body) throws -> Int32? {
    while try body.turn() {
      switch wait(until: body.deadline, readable: body.descriptors) {
      case .signal(SIGTSTP): try body.stop(by: signals)
      case .signal(let number): return number
      case .deadline, .event: break
      }
    }
    return nil
  }
}
