// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import CoreAudio
internal import Foundation
internal import MusicalTime

/// A node that passes its input to a closure on the render thread.
@safe
open class AVAudioSinkNode: AVAudioNode, @unchecked Sendable {
  private let block: AVAudioSinkNodeReceiverBlock

  /// Creates a sink node with a closure.
  ///
  /// - Parameter block: The closure that receives the audio: one or two channels with 32-bit
  ///   floating-point samples in separate buffers, 64 frames at a time, at the sample rate of the
  ///   engine. The closure must not wait, lock or allocate.
  public init(receiverBlock block: @escaping AVAudioSinkNodeReceiverBlock) {
    unsafe self.block = block
    super.init()
  }

  /// The number of inputs: always 1.
  override open var numberOfInputs: Int { 1 }

  /// The number of outputs: always 0.
  override open var numberOfOutputs: Int { 0 }

  override func makeUnit(_ shape: UnitShape) -> (any ProcessingUnit)? {
    unsafe SinkUnit(block, channelCount: shape.inputs.first ?? 2, rate: shape.rate)
  }
}

/// The unit of a sink.
final class SinkUnit: ProcessingUnit {
  let name = "sink"
  let rate: SampleRate?
  let inputChannelCounts: [Int]
  let outputChannelCounts: [Int] = []
  private let kernel: KernelBox<SinkKernel>

  @unsafe
  init(_ block: @escaping AVAudioSinkNodeReceiverBlock, channelCount: Int, rate: SampleRate) {
    self.rate = rate
    inputChannelCounts = [channelCount]
    let format = AVAudioEngine.format(hertz: Int(rate.hertz), channels: UInt32(channelCount))
    kernel = unsafe KernelBox(SinkKernel(format, block), SinkKernel.function)
  }

  var acceptsOpenInputs: Bool { true }

  var step: RenderStep { kernel.step }
}

/// The render side of a sink.
///
/// It does not allocate or lock; the program's closure must not do so either.
@safe
struct SinkKernel: ~Copyable {
  private let block: AVAudioSinkNodeReceiverBlock
  private let memory: BufferListMemory

  @unsafe
  init(_ format: AVAudioFormat, _ block: @escaping AVAudioSinkNodeReceiverBlock) {
    unsafe self.block = block
    memory = BufferListMemory(format)
  }

  static let function: RenderStep.Function = { kernel, block in
    unsafe kernel.assumingMemoryBound(to: SinkKernel.self).pointee.render(
      block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  // Not annotated: the compiler cannot check the program's closure.
  private func render(_ block: RenderBlock) {
    memory.read(block.input(0))
    var stamp = AudioTimeStamp()
    (stamp.mSampleTime, stamp.mFlags) = (Double(block.start.frames), .sampleTimeValid)
    let count = AudioFormat.quantum
    _ = unsafe self.block(&stamp, AVAudioFrameCount(count), memory.prepared(count))
  }
}
