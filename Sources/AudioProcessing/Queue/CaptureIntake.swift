// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime
internal import Synchronization

/// What an input gives, on its way into a capture by whole quanta.
final class CaptureIntake {
  private let input: any SoundInput
  private let quantum: AudioBuffer
  /// The frames of the quantum that are there.
  private var filled = 0
  /// The first frame of the quantum, counted from the first that was read.
  private var position: Int64 = 0
  private var lossCount: Int
  /// The input's clock when its sound was handed out last: that of what lies before a loss.
  private var clock: SampleClock?

  init(_ input: any SoundInput) {
    self.input = input
    quantum = AudioBuffer(channelCount: input.channelCount)
    lossCount = input.xrunCount
  }

  /// Takes what comes next, and hands it out; says whether there will be more.
  func take(into queue: CaptureQueue) -> Bool {
    do {
      let samples = try input.read()
      noteLoss(queue)
      take(samples.span, queue)
      clock = input.clock ?? clock
      queue.deliver(clock: clock)
      return true
    } catch {
      queue.failed.withLock { $0 = error }
      end(queue)
      return false
    }
  }

  private func noteLoss(_ queue: CaptureQueue) {
    guard input.xrunCount != lossCount else { return }
    lossCount = input.xrunCount
    pass(to: queue)
    queue.deliver(clock: clock, endsSound: true)
    clock = nil
    queue.kernel.pointee.gaps.add(1, ordering: .relaxed)
  }

  private func take(_ samples: Span<Float>, _ queue: CaptureQueue) {
    let channelCount = quantum.bus.channelCount
    for first in stride(from: 0, to: samples.count, by: channelCount) {
      for channel in 0..<channelCount {
        unsafe quantum.bus.channel(channel)[filled] = samples[first + channel]
      }
      filled += 1
      if filled == AudioFormat.quantum { pass(to: queue) }
    }
  }

  /// Hands on the frames that are there.
  private func pass(to queue: CaptureQueue) {
    guard filled > 0 else { return }
    unsafe kernel(of: queue).pointee.take(quantum.bus, count: filled, at: position)
    position += Int64(filled)
    filled = 0
  }

  /// Stops the queue: nothing comes any more.
  private func end(_ queue: CaptureQueue) {
    pass(to: queue)
    // So that there is room to tell of the end.
    queue.deliver(clock: clock)
    unsafe kernel(of: queue).pointee.halt(.stopped, at: position)
    queue.deliver(clock: clock)
  }

  private func kernel(of queue: CaptureQueue) -> UnsafeMutablePointer<CaptureKernel> {
    unsafe queue.step.kernel.assumingMemoryBound(to: CaptureKernel.self)
  }
}
