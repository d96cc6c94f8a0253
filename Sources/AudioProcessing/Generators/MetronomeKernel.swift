// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import MusicalTime
internal import Realtime
internal import Synchronization

/// A click for the render thread.
struct MetronomeClick: BitwiseCopyable, Sendable {
  let level: Float
  let isAccented: Bool
}

/// The render side of a metronome: plays two sounds from memory.
@safe
struct MetronomeKernel: ~Copyable {
  let lateCount = Atomic<Int>(0)

  private struct Voice: BitwiseCopyable {
    /// The next frame of the sound; at or past its end the voice is free.
    var place = Int.max
    var level: Float = 0
    var isAccented = false
  }

  private var clicks: FrameQueueReader<MetronomeClick>
  private var voices = InlineArray<8, Voice>(repeating: Voice())
  private var nextVoice = 0
  private let length: Int
  private let plain: UnsafeMutablePointer<Float>
  private let accented: UnsafeMutablePointer<Float>

  init(rate: SampleRate, clicks: FrameQueueReader<MetronomeClick>) {
    self.clicks = clicks
    length = Int(rate.hertz) / 20
    unsafe plain = Self.sound(hertz: 1000, rate, length)
    unsafe accented = Self.sound(hertz: 1250, rate, length)
  }

  deinit {
    unsafe plain.deallocate()
    unsafe accented.deallocate()
  }

  /// A sine that decays within 50 ms, with a peak slightly below 1.
  private static func sound(
    hertz: Double, _ rate: SampleRate, _ length: Int
  ) -> UnsafeMutablePointer<Float> {
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: max(1, length))
    for frame in 0..<max(1, length) {
      let seconds = Double(frame) / Double(rate.hertz)
      let fade = exp(-seconds * 100) * (1 - Double(frame) / Double(max(1, length)))
      unsafe (samples + frame).initialize(to: Float(sin(2 * .pi * hertz * seconds) * fade))
    }
    return unsafe samples
  }

  static let function: RenderStep.Function = { kernel, block in
    unsafe kernel.assumingMemoryBound(to: MetronomeKernel.self).pointee.render(
      block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  @_noAllocation @_noLocks
  private mutating func render(_ block: RenderBlock) {
    let output = block.output(0)
    output.clear()
    let samples = unsafe output.channel(0)
    for index in 0..<8 { unsafe play(index, samples, from: 0) }
    let end = block.start.frames &+ Int64(truncatingIfNeeded: AudioFormat.quantum)
    while let click = clicks.next(before: end) {
      if click.frame < block.start.frames { lateCount.add(1, ordering: .relaxed) }
      // The oldest voice is replaced, because it is the quietest.
      let index = nextVoice
      nextVoice = (nextVoice &+ 1) & 7
      voices[index] = Voice(
        place: 0, level: click.content.level, isAccented: click.content.isAccented)
      let offset = Int(truncatingIfNeeded: max(0, click.frame &- block.start.frames))
      unsafe play(index, samples, from: offset)
    }
  }

  @_noAllocation @_noLocks
  private mutating func play(_ index: Int, _ output: UnsafeMutablePointer<Float>, from first: Int) {
    let voice = voices[index]
    guard voice.place < length else { return }
    let sound = unsafe voice.isAccented ? accented : plain
    let count = min(AudioFormat.quantum &- first, length &- voice.place)
    for frame in 0..<count {
      unsafe output[first &+ frame] += voice.level * sound[voice.place &+ frame]
    }
    voices[index].place = voice.place &+ count
  }
}
