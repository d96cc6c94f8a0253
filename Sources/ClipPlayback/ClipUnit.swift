// SPDX-License-Identifier: Apache-2.0
public import AudioProcessing
public import MusicalTime
internal import Realtime
internal import Synchronization

/// The unit of an audio graph through which a ``SoundBoard`` plays clips, with one stereo output.
///
/// - Note: Add the unit to a graph; everything else is done by its board.
@safe
public final class ClipUnit: ProcessingUnit {
  /// The name of the unit, for messages and graphs.
  public let name = "clips"
  /// The sample rate of the output.
  public let rate: SampleRate
  let orders: RingBuffer<ClipOrder>
  let facts: RingBuffer<ClipFact>
  private let kernel: UnsafeMutablePointer<ClipKernel>
  /// The sounds that the kernel can still read after the board was released.
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

  /// Empty: the unit does not have inputs.
  public var inputChannelCounts: [Int] { [] }

  /// The channel count of each output: one stereo bus.
  public var outputChannelCounts: [Int] { [2] }

  /// The unit's kernel, with the function that renders one quantum.
  public var step: RenderStep {
    unsafe RenderStep(kernel: kernel, function: ClipKernel.function)
  }

  /// The number of clips that started late, because their start frame was already in the past.
  public var lateCount: Int { unsafe kernel.pointee.lateCount.load(ordering: .relaxed) }
}
