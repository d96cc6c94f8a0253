// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime
internal import Realtime
internal import Synchronization

extension Playback {
  /// Waits for the end, lets the device play what it holds, and lets go of it.
  ///
  /// - Throws: what ended the playback before its time; the device has been let go of then, too.
  ///   `CancellationError` where the task is cancelled; then the music plays on.
  public func waitUntilFinished() async throws {
    while !isOver { try await Task.sleep(for: Self.look) }
    let failure = failure
    await endAside(draining: failure == nil)
    if let failure { throw failure }
  }

  /// Waits as the other, for a thread that has nothing else to do.
  ///
  /// - Throws: what ended the playback before its time; the device has been let go of then, too.
  public func waitUntilFinished() throws {
    while !isOver { DeadlineWait.sleep(until: (HostTime.now + Self.look).nanoseconds) }
    let failure = failure
    end(draining: failure == nil)
    if let failure { throw failure }
  }

  /// How often it is looked whether the music is over.
  private static let look = Duration.milliseconds(5)

  private var isOver: Bool {
    hasFinished || failure != nil || hasStopped.load(ordering: .acquiring)
  }

  /// Ends on a thread of its own: a device that drains blocks no task.
  private func endAside(draining: Bool) async {
    await withCheckedContinuation { continuation in
      do {
        _ = try RealtimeThread(name: "end", priority: nil) {
          self.end(draining: draining)
          continuation.resume()
        }
      } catch {
        end(draining: draining)
        continuation.resume()
      }
    }
  }
}
