// SPDX-License-Identifier: Apache-2.0
public import Foundation

extension AVAssetExportSession {
  /// The state of an export in a sequence of states.
  public enum State: Sendable {
    /// It has not started.
    case pending
    /// It is about to write.
    case waiting
    /// It writes; `fractionCompleted` is the share that is done.
    case exporting(progress: Progress)
  }

  /// The states of an export from now on; the sequence ends with the export.
  public struct States: AsyncSequence, Sendable {
    let session: AVAssetExportSession
    let interval: Duration

    /// Takes states.
    public struct AsyncIterator: AsyncIteratorProtocol {
      let session: AVAssetExportSession
      let interval: Duration
      private var isFirst = true

      init(_ session: AVAssetExportSession, _ interval: Duration) {
        (self.session, self.interval) = (session, interval)
      }

      /// Returns the state after an interval, the first one at once.
      ///
      /// - Returns: The state; nil when the export has ended, or the task is cancelled.
      public mutating func next() async -> State? {
        do {
          if !isFirst { try await Task.sleep(for: interval) }
        } catch {
          return nil
        }
        isFirst = false
        switch session.status {
        case .unknown: return .pending
        case .waiting: return .waiting
        case .exporting:
          let progress = Progress(totalUnitCount: 1_000_000)
          progress.completedUnitCount = Int64(session.progress * 1_000_000)
          return .exporting(progress: progress)
        case .completed, .failed, .cancelled: return nil
        }
      }
    }

    /// Creates an iterator.
    ///
    /// - Returns: The iterator.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(session, interval) }
  }

  /// Returns the states of the export from now on.
  ///
  /// - Parameter updateInterval: Seconds between two states, at least 0.001; 1 second by default.
  /// - Returns: A sequence that ends with the export.
  public func states(updateInterval: TimeInterval = .infinity) -> States {
    let seconds = updateInterval.isFinite ? max(0.001, updateInterval) : 1
    return States(session: self, interval: .seconds(seconds))
  }
}
