// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicalTime
internal import Realtime
internal import Synchronization

/// The render side of a `KernelUnit`.
///
/// It splits a quantum at the frames at which messages are due.
@safe
struct UnitKernel: ~Copyable {
  /// The threshold of silence: −100 dBFS.
  private static let silence: Float = 1e-5

  private let render: (SoundBlock) -> Void
  private let take: (Message) -> Void
  private let free: () -> Void
  private let bank: ParameterBank
  private let rate: SampleRate
  private var events: FrameQueueReader<Message>
  private let isQuiet = Atomic(true)

  /// Moves the kernel into allocated memory.
  init(
    _ kernel: some SoundKernel, _ bank: ParameterBank, _ events: FrameQueueReader<Message>,
    rate: SampleRate
  ) {
    let pointer = unsafe Self.place(kernel)
    // Vouched for: the pointer is valid during the life of this object, and one thread renders.
    render = { unsafe pointer.pointee.render($0) }
    take = { unsafe pointer.pointee.take($0) }
    free = { unsafe pointer.deinitialize(count: 1).deallocate() }
    self.bank = bank
    self.events = events
    self.rate = rate
  }

  deinit {
    free()
  }

  private static func place<Kernel>(_ kernel: Kernel) -> UnsafeMutablePointer<Kernel> {
    let pointer = UnsafeMutablePointer<Kernel>.allocate(capacity: 1)
    unsafe pointer.initialize(to: kernel)
    return unsafe pointer
  }

  /// True if the last quantum was silent.
  var wasSilent: Bool { isQuiet.load(ordering: .relaxed) }

  static let function: RenderStep.Function = { kernel, block in
    unsafe kernel.assumingMemoryBound(to: UnitKernel.self).pointee.render(
      block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  // Not annotated, because your own kernel cannot be checked here.
  private mutating func render(_ block: RenderBlock) {
    let start = block.start.frames
    _ = bank.advance(startFrame: start)
    var first = 0
    while let event = events.next(before: start &+ Int64(AudioFormat.quantum)) {
      let offset = max(first, Int(clamping: event.frame &- start))
      if offset > first { render(SoundBlock(block, first..<offset, bank, rate: rate)) }
      first = offset
      take(event.content)
    }
    render(SoundBlock(block, first..<AudioFormat.quantum, bank, rate: rate))
    isQuiet.store(Self.isSilent(block), ordering: .relaxed)
  }

  private static func isSilent(_ block: RenderBlock) -> Bool {
    for output in 0..<block.outputCount {
      let bus = block.output(output)
      for channel in 0..<bus.channelCount {
        let samples = unsafe bus.channel(channel)
        for frame in 0..<AudioFormat.quantum where unsafe abs(samples[frame]) > silence {
          return false
        }
      }
    }
    return true
  }
}
