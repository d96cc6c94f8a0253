// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime
internal import Synchronization

/// Passes the sound of an input to a capture, in whole quanta.
final class CaptureIntake {
  private let input: any SoundInput
  private let quantum: AudioBuffer
  /// The number of valid frames in the quantum.
  private var filled = 0
  /// The first frame of the quantum, counted from the first that was read.
  private var position: Int64 = 0
  private var lossCount: Int
  /// The input's clock at the last delivery, which applies to the frames before a loss.
  private var clock: SampleClock?

  init(_ input: any SoundInput) {
    self.input = input
    quantum = AudioBuffer(channelCount: input.channelCount)
    lossCount = input.xrunCount
  }

  /// Reads the next sound and delivers it; returns false at the end of the input.
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

  /// Passes on the collected frames.
  private func pass(to queue: CaptureQueue) {
    guard filled > 0 else { return }
    unsafe kernel(of: queue).pointee.take(quantum.bus, count: filled, at: position)
    position += Int64(filled)
    filled = 0
  }

  /// Stops the queue at the end of the input.
  private func end(_ queue: CaptureQueue) {
    pass(to: queue)
    // This makes room for the report of the end.
    queue.deliver(clock: clock)
    unsafe kernel(of: queue).pointee.halt(.stopped, at: position)
    queue.deliver(clock: clock)
  }

  private func kernel(of queue: CaptureQueue) -> UnsafeMutablePointer<CaptureKernel> {
    unsafe queue.step.kernel.assumingMemoryBound(to: CaptureKernel.self)
  }
}
