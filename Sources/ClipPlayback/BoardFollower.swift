// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import Glibc
internal import MusicalTime
internal import Realtime
internal import Synchronization

/// The thread of a board: asks an output where it is, and tells of what has been heard.
final class BoardFollower: Sendable {
  private let stopping: Stopping
  private let thread: RealtimeThread

  private final class Stopping: Sendable {
    let isAsked = Atomic<Bool>(false)
  }

  /// How often the output is asked.
  private static let pause: UInt32 = 2000

  init(_ board: SoundBoard, _ output: any OutputUnit) throws {
    let stopping = Stopping()
    self.stopping = stopping
    // An output may be asked for its position by any thread, as its protocol says.
    nonisolated(unsafe) let output = output
    thread = try RealtimeThread(name: "clip ends", priority: nil) { [weak board] in
      var watch = OriginWatch()
      while !stopping.isAsked.load(ordering: .acquiring), let board {
        let heard = unsafe output.position.frames - Int64(output.latency)
        if heard > 0 {
          let rate = unsafe output.format.rate
          let elapsed = rate.hostTimeRoundedUp(of: SampleTime(frames: heard)).nanoseconds
          let now = DeadlineWait.now
          if let origin = watch.look(origin: now - elapsed, now: now) {
            board.learn(origin: HostTime(nanoseconds: origin))
          }
        }
        board.deliver(heardThrough: SampleTime(frames: heard))
        usleep(Self.pause)
      }
    }
  }

  func stop() {
    stopping.isAsked.store(true, ordering: .releasing)
    // The last one to let go of the owner may be this very thread.
    if !thread.isCurrent { thread.join() }
  }
}
