// SPDX-License-Identifier: Apache-2.0
public import AudioProcessing
public import MusicalTime
internal import Realtime
internal import Synchronization

/// The unit of a graph that clips sound from: one stereo bus.
///
/// - Note: Control side; a `SoundBoard` owns one and plays on it.
@safe
public final class ClipUnit: ProcessingUnit {
  /// The unit's name, for messages and graphs.
  public let name = "clips"
  /// The rate of what it plays.
  public let rate: SampleRate
  let orders: RingBuffer<ClipOrder>
  let facts: RingBuffer<ClipFact>
  private let kernel: UnsafeMutablePointer<ClipKernel>
  /// What the kernel may still read when the board is gone.
  var heldSounds: [SystemSound] = []

  init(rate: SampleRate) {
    self.rate = rate
    orders = RingBuffer(minimumCapacity: 2 * ClipKernel.slotLimit)
    facts = RingBuffer(minimumCapacity: 2 * ClipKernel.slotLimit)
    unsafe kernel = .allocate(capacity: 1)
    unsafe kernel.initialize(
      to: ClipKernel(orders: orders.reader, facts: facts.writer, rate: rate))
  }

  deinit {
    unsafe kernel.deinitialize(count: 1).deallocate()
  }

  /// None.
  public var inputChannelCounts: [Int] { [] }

  /// One stereo bus.
  public var outputChannelCounts: [Int] { [2] }

  /// The unit's kernel.
  public var step: RenderStep {
    unsafe RenderStep(kernel: kernel, function: ClipKernel.function)
  }

  /// Clips that were to start at a frame that had gone by.
  public var lateCount: Int { unsafe kernel.pointee.lateCount.load(ordering: .relaxed) }
}
