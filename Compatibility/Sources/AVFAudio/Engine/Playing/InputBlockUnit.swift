// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import CoreAudio
internal import MusicalTime
internal import Synchronization

/// The unit of an input node whose sound a closure of the program provides.
final class InputBlockUnit: ProcessingUnit, @unchecked Sendable {
  // Unchecked: the kernel is that of the render thread, except for an atomic.

  let name = "input"
  let rate: SampleRate?
  let inputChannelCounts: [Int] = []
  let outputChannelCounts: [Int]
  private let kernel: KernelBox<InputBlockKernel>

  /// Creates a unit.
  ///
  /// - Parameters:
  ///   - format: The format of the sound: single precision, at the rate of the engine.
  ///   - block: Provides the sound.
  ///   - shortage: Is set if the closure does not provide enough sound.
  ///   - rate: The rate of the engine.
  @unsafe
  init(
    _ format: AVAudioFormat, _ block: @escaping AVAudioIONodeInputBlock, _ shortage: InputShortage,
    rate: SampleRate
  ) {
    self.rate = rate
    outputChannelCounts = [Int(format.channelCount)]
    kernel = unsafe KernelBox(InputBlockKernel(format, block, shortage), InputBlockKernel.function)
  }

  var step: RenderStep { kernel.step }
}

/// A lack of sound from the closure of an input node.
final class InputShortage: Sendable {
  private let flag = Atomic(false)

  /// Notes that sound is missing.
  func note() { flag.store(true, ordering: .relaxed) }

  /// Returns true if sound was missing since the last call.
  func take() -> Bool { flag.exchange(false, ordering: .relaxed) }
}

/// The render side of an input whose sound a closure provides.
@safe
struct InputBlockKernel: ~Copyable {
  private let shortage: InputShortage
  private let block: AVAudioIONodeInputBlock
  private let isPlanar: Bool

  @unsafe
  init(
    _ format: AVAudioFormat, _ block: @escaping AVAudioIONodeInputBlock, _ shortage: InputShortage
  ) {
    self.shortage = shortage
    unsafe self.block = block
    isPlanar = format.asbd.isPlanar
  }

  static let function: RenderStep.Function = { kernel, block in
    unsafe kernel.assumingMemoryBound(to: InputBlockKernel.self).pointee.render(
      block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  // Not annotated: the compiler cannot check the program's closure.
  private func render(_ block: RenderBlock) {
    let bus = block.output(0)
    bus.clear()
    let count = AudioFormat.quantum
    guard let list = unsafe self.block(AVAudioFrameCount(count)) else {
      return shortage.note()
    }
    let buffers = unsafe UnsafeMutableAudioBufferListPointer(
      UnsafeMutablePointer(mutating: list))
    for channel in 0..<bus.channelCount {
      let index = isPlanar ? channel : 0
      let step = isPlanar ? 1 : bus.channelCount
      guard unsafe index < buffers.count, let data = unsafe buffers[index].mData else {
        shortage.note()
        continue
      }
      let there = unsafe Int(buffers[index].mDataByteSize) / (MemoryLayout<Float>.stride * step)
      if there < count { shortage.note() }
      let source = unsafe data.assumingMemoryBound(to: Float.self) + (isPlanar ? 0 : channel)
      let target = unsafe bus.channel(channel)
      for frame in 0..<min(count, there) { unsafe target[frame] = source[frame * step] }
    }
  }
}
