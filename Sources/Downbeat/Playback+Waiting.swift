// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime
internal import Realtime
internal import Synchronization

extension Playback {
  /// Waits for the end of playback, until the device has played its buffer, and closes the device.
  ///
  /// - Throws: The error that ended the playback early; the device is closed in this case, too.
  ///   `CancellationError` if the task is cancelled; playback then continues.
  public func waitUntilFinished() async throws {
    while !isOver { try await Task.sleep(for: Self.look) }
    let failure = failure
    await endAside(draining: failure == nil)
    if let failure { throw failure }
  }

  /// Waits for the end of playback and closes the device; the calling thread is blocked.
  ///
  /// - Throws: The error that ended the playback early; the device is closed in this case, too.
  public func waitUntilFinished() throws {
    while !isOver { DeadlineWait.sleep(until: (HostTime.now + Self.look).nanoseconds) }
    let failure = failure
    end(draining: failure == nil)
    if let failure { throw failure }
  }

  /// The interval at which the end is checked.
  private static let look = Duration.milliseconds(5)

  private var isOver: Bool {
    hasFinished || failure != nil || hasStopped.load(ordering: .acquiring)
  }

  /// Ends the playback on a separate thread, so that a draining device does not block a task.
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
