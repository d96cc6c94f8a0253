// SPDX-License-Identifier: Apache-2.0
public import Foundation

extension AVAssetExportSession {
  /// The state of an export, with its progress.
  public enum State: Sendable {
    /// The export has not started.
    case pending
    /// The export has started, but has not written anything yet.
    case waiting
    /// The file is being written; `fractionCompleted` is the completed part, 0…1.
    case exporting(progress: Progress)
  }

  /// An asynchronous sequence of the states of an export, which ends when the export ends.
  public struct States: AsyncSequence, Sendable {
    let session: AVAssetExportSession
    let interval: Duration

    /// Iterates over the states of an export.
    public struct AsyncIterator: AsyncIteratorProtocol {
      let session: AVAssetExportSession
      let interval: Duration
      private var isFirst = true

      init(_ session: AVAssetExportSession, _ interval: Duration) {
        (self.session, self.interval) = (session, interval)
      }

      /// Waits for the update interval, and returns the state; the first state is returned at once.
      ///
      /// - Returns: The state; nil when the export has ended or the task is cancelled.
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

    /// Creates an iterator over the states.
    ///
    /// - Returns: The iterator.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(session, interval) }
  }

  /// Returns the states of the export, starting with the current one.
  ///
  /// - Parameter updateInterval: The time between two states in seconds, at least 0.001. Without
  ///   this argument it is 1 second.
  /// - Returns: A sequence that ends when the export ends.
  public func states(updateInterval: TimeInterval = .infinity) -> States {
    let seconds = updateInterval.isFinite ? max(0.001, updateInterval) : 1
    return States(session: self, interval: .seconds(seconds))
  }
}
