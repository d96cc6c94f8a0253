// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import CCoreAudio
internal import CoreAudio
internal import CoreAudioTypes
internal import Glibc
internal import MusicalTime
internal import Synchronization

/// A program's function through which the sound of a queue passes.
@safe
final class TapObject: @unchecked Sendable {
  // Unchecked: the context is the render thread's, but for its atomics.

  /// The unit in the queue's graph.
  let unit: FunctionUnit
  /// The queue.
  weak let queue: OutputQueue?
  private let context: UnsafeMutablePointer<Context>

  /// The part of a tap that the render thread uses.
  @safe
  private struct Context: ~Copyable {
    let function: AudioQueueProcessingTapCallback
    let data: UnsafeMutableRawPointer
    let isSiphon: Bool
    let channelCount: Int
    let list: UnsafeMutableAudioBufferListPointer
    /// The handle; 0 until it is known.
    let reference = Atomic<UInt>(0)
    let isActive = Atomic(true)
    /// The render thread while it may call the program; else 0.
    let thread = Atomic<UInt>(0)
    /// The source of the quantum that the program is called for.
    var source: Bus?
    var start: Int64 = 0
    var isFirst = true
  }

  /// Creates a tap.
  ///
  /// - Parameters:
  ///   - queue: the queue.
  ///   - function: the program's function.
  ///   - data: its first argument.
  ///   - isSiphon: true if the function only looks at the sound.
  @unsafe
  init(
    _ queue: OutputQueue, _ function: @escaping AudioQueueProcessingTapCallback,
    _ data: UnsafeMutableRawPointer, isSiphon: Bool
  ) {
    self.queue = queue
    let count = queue.channelCount
    let list = unsafe AudioBufferList.allocate(maximumBuffers: count)
    unsafe context = .allocate(capacity: 1)
    unsafe context.initialize(
      to: Context(
        function: function, data: data, isSiphon: isSiphon, channelCount: count, list: list))
    unit = unsafe FunctionUnit(
      name: "tap", inputs: [count], outputs: [count], context: context
    ) { context, block in
      unsafe TapObject.render(
        context.assumingMemoryBound(to: Context.self),
        block.assumingMemoryBound(to: RenderBlock.self).pointee)
    }
  }

  deinit {
    unsafe context.pointee.list.unsafeMutablePointer.deallocate()
    unsafe context.deinitialize(count: 1).deallocate()
  }

  /// The handle that programs know.
  var reference: AudioQueueProcessingTapRef? {
    get {
      unsafe AudioQueueProcessingTapRef(
        bitPattern: context.pointee.reference.load(ordering: .acquiring))
    }
    set {
      unsafe context.pointee.reference.store(
        UInt(bitPattern: newValue), ordering: .releasing)
    }
  }

  /// Has the sound pass unchanged from now on, and waits for a call of the function that is under
  /// way on another thread: up to 1 s, after which the program itself keeps it from returning.
  func deactivate() {
    unsafe context.pointee.isActive.store(false, ordering: .sequentiallyConsistent)
    for _ in 0..<2000 where isElsewhere { usleep(500) }
  }

  private static func render(_ context: UnsafeMutablePointer<Context>, _ block: RenderBlock) {
    let (source, target) = (block.input(0), block.output(0))
    unsafe copy(source, to: target, context.pointee.channelCount)
    // Before the look at `isActive`: `deactivate` looks in the opposite order.
    unsafe context.pointee.thread.store(UInt(pthread_self()), ordering: .sequentiallyConsistent)
    defer { unsafe context.pointee.thread.store(0, ordering: .releasing) }
    guard unsafe context.pointee.isActive.load(ordering: .sequentiallyConsistent),
      let tap = unsafe AudioQueueProcessingTapRef(
        bitPattern: context.pointee.reference.load(ordering: .acquiring))
    else { return }
    unsafe fillList(context, target)
    var stamp = AudioTimeStamp()
    stamp.mSampleTime = Double(block.start.frames)
    stamp.mFlags = .sampleTimeValid
    var flags = AudioQueueProcessingTapFlags()
    if unsafe context.pointee.isFirst { flags.insert(.startOfStream) }
    var count = UInt32(AudioFormat.quantum)
    unsafe (context.pointee.source, context.pointee.start) = (source, block.start.frames)
    unsafe context.pointee.function(
      context.pointee.data, tap, count, &stamp, &flags, &count,
      context.pointee.list.unsafeMutablePointer)
    unsafe context.pointee.isFirst = false
    if unsafe context.pointee.isSiphon {
      unsafe copy(source, to: target, context.pointee.channelCount)
    } else {
      unsafe silence(target, from: Int(count), context.pointee.channelCount)
    }
  }

  private static func fillList(_ context: UnsafeMutablePointer<Context>, _ target: Bus) {
    let size = UInt32(AudioFormat.quantum * MemoryLayout<Float>.size)
    for channel in unsafe 0..<context.pointee.channelCount {
      unsafe context.pointee.list[channel] = AudioBuffer(
        mNumberChannels: 1, mDataByteSize: size, mData: target.channel(channel))
    }
  }

  private static func copy(_ source: Bus, to target: Bus, _ channelCount: Int) {
    for channel in 0..<channelCount {
      unsafe target.channel(channel).update(
        from: source.channel(channel), count: AudioFormat.quantum)
    }
  }

  private static func silence(_ target: Bus, from frame: Int, _ channelCount: Int) {
    let start = min(max(0, frame), AudioFormat.quantum)
    for channel in 0..<channelCount {
      unsafe (target.channel(channel) + start).update(
        repeating: 0, count: AudioFormat.quantum - start)
    }
  }

  /// Copies the source of the quantum that the program is called for.
  ///
  /// - Returns: the number of frames, and whether the stream begins; nil outside of a call.
  func readSource(
    _ frameCount: Int, to list: UnsafeMutablePointer<AudioBufferList>
  ) -> (frames: Int, isFirst: Bool)? {
    guard isInCall, let source = unsafe context.pointee.source else { return nil }
    let frames = min(frameCount, AudioFormat.quantum)
    let buffers = unsafe UnsafeMutableAudioBufferListPointer(list)
    for channel in unsafe 0..<min(buffers.count, context.pointee.channelCount) {
      let room = unsafe Int(buffers[channel].mDataByteSize) / MemoryLayout<Float>.size
      guard let data = unsafe buffers[channel].mData else { continue }
      unsafe data.assumingMemoryBound(to: Float.self).update(
        from: source.channel(channel), count: min(frames, room))
    }
    return (frames, unsafe context.pointee.isFirst)
  }

  /// The first frame of the quantum that the program is called for; nil outside of a call.
  var queueTime: Int64? {
    isInCall ? unsafe context.pointee.start : nil
  }

  private var isElsewhere: Bool {
    let thread = unsafe context.pointee.thread.load(ordering: .sequentiallyConsistent)
    return thread != 0 && thread != UInt(pthread_self())
  }

  private var isInCall: Bool {
    unsafe context.pointee.thread.load(ordering: .relaxed) == UInt(pthread_self())
  }
}
