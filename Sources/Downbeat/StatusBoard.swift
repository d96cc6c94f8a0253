// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import ClockService
internal import MusicalTime
internal import Realtime
internal import Synchronization

/// What the event thread publishes after each step, without waiting for whoever reads.
final class StatusBoard: Sendable {
  struct Status: BitwiseCopyable, Sendable {
    var state: ClockSnapshot.State
    var generation: UInt32
    /// The output's.
    var clock: SampleClock?
  }

  private let snapshot: Snapshot<Status>
  /// One thread at a time reads a snapshot.
  private let reading = Mutex(())

  init(_ state: ClockSnapshot.State) {
    snapshot = Snapshot(Status(state: state, generation: 0))
  }

  func write(_ status: Status) {
    snapshot.write(status)
  }

  func read() -> Status {
    reading.withLock { _ in snapshot.read() }
  }
}
