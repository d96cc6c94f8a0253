// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import CoreAudio
internal import Foundation
internal import MusicalTime

/// The unit of a source node whose closure renders in the format of the engine.
final class SourceUnit: ProcessingUnit {
  let name = "source"
  let rate: SampleRate?
  let inputChannelCounts: [Int] = []
  let outputChannelCounts: [Int]
  private let kernel: KernelBox<SourceKernel>

  /// Creates a unit.
  ///
  /// - Parameters:
  ///   - format: The format of the closure: single precision, at the rate of the engine.
  ///   - block: Renders the sound.
  ///   - rate: The rate of the engine.
  @unsafe
  init(_ format: AVAudioFormat, _ block: @escaping AVAudioSourceNodeRenderBlock, rate: SampleRate) {
    self.rate = rate
    outputChannelCounts = [Int(format.channelCount)]
    kernel = unsafe KernelBox(SourceKernel(format, block), SourceKernel.function)
  }

  var step: RenderStep { kernel.step }
}

/// The render side of a source node.
///
/// It does not allocate or lock; the program's closure must not do so either.
@safe
struct SourceKernel: ~Copyable {
  private let block: AVAudioSourceNodeRenderBlock
  private let memory: BufferListMemory
  private var rendered: Int64 = 0

  @unsafe
  init(_ format: AVAudioFormat, _ block: @escaping AVAudioSourceNodeRenderBlock) {
    unsafe self.block = block
    memory = BufferListMemory(format)
  }

  static let function: RenderStep.Function = { kernel, block in
    unsafe kernel.assumingMemoryBound(to: SourceKernel.self).pointee.render(
      block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  // Not annotated: the compiler cannot check the program's closure.
  private mutating func render(_ block: RenderBlock) {
    let bus = block.output(0)
    let count = AudioFormat.quantum
    memory.clear()
    var stamp = AudioTimeStamp()
    (stamp.mSampleTime, stamp.mFlags) = (Double(rendered), .sampleTimeValid)
    var isSilent = ObjCBool(false)
    let status = unsafe self.block(
      &isSilent, &stamp, AVAudioFrameCount(count), memory.prepared(count))
    rendered &+= Int64(count)
    if status == noErr, !isSilent.boolValue {
      memory.write(count, to: bus)
    } else {
      bus.clear()
    }
  }
}
