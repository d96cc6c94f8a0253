// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import Glibc
internal import MusicalTime
internal import Realtime
internal import Synchronization

/// The disk thread of a player.
final class PlayerFollower: Sendable {
  private let stopping: Stopping
  private let thread: RealtimeThread

  private final class Stopping: Sendable {
    let isAsked = Atomic<Bool>(false)
  }

  /// A hundredth of what is read ahead.
  private static let pause: UInt32 = 10_000

  init(_ player: AudioPlayer, _ output: any OutputUnit) throws {
    let stopping = Stopping()
    self.stopping = stopping
    // An output may be asked for its position by any thread, as its protocol says.
    nonisolated(unsafe) let output = output
    thread = try RealtimeThread(name: "read ahead", priority: nil) { [weak player] in
      while !stopping.isAsked.load(ordering: .acquiring), let player {
        player.fill()
        let heard = unsafe output.position.frames - Int64(output.latency)
        player.deliver(heardThrough: SampleTime(frames: heard))
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
