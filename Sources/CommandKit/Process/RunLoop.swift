// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import Realtime

/// The one wait of a running command: for signals, descriptors and instants.
///
/// A signal ends the wait at once; nothing is polled.
///
/// - Note: one thread.
package struct RunLoop {
  /// Why a wait ended.
  package enum Wake {
    /// The instant was reached.
    case deadline
    /// A descriptor is readable, or a signal was received that does not end the process.
    case event
    /// A signal that ends or stops the process was noted (`SignalWatch.signal`).
    case signal(Int32)
  }

  /// The signals that end a wait.
  package let signals: SignalWatch
  private let timer: DeadlineWait

  /// Creates a run loop.
  ///
  /// - Parameter signals: the signals that end a wait.
  /// - Throws: `RealtimeError` if no descriptor is left.
  package init(_ signals: SignalWatch) throws(RealtimeError) {
    self.signals = signals
    timer = try DeadlineWait()
    signals.wake(timer)
  }

  /// Waits for an instant, a descriptor or a signal.
  ///
  /// - Parameters:
  ///   - deadline: nanoseconds of the monotonic clock; nil for no end.
  ///   - descriptors: descriptors to read from.
  /// - Returns: why the wait ended; a signal goes first.
  package func wait(until deadline: Int64?, readable descriptors: [Int32] = []) -> Wake {
    if let number = signals.signal { return .signal(number) }
    let reason = timer.wait(until: deadline, readable: descriptors)
    if let number = signals.signal { return .signal(number) }
    return reason == .deadline ? .deadline : .event
  }

  /// Waits until a descriptor is readable; a signal ends the process.
  ///
  /// - Parameter descriptors: the descriptors.
  package func waitUntilReadable(_ descriptors: [Int32]) {
    if case .signal(let number) = wait(until: nil, readable: descriptors) {
      SignalWatch.die(by: number)
    }
  }

  /// Calls `turn` whenever something has happened or is due, until it returns false.
  ///
  /// - Parameter body: what the command does.
  /// - Returns: the signal that ended the loop; nil if the body ended it.
  /// - Throws: the errors of the body.
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
