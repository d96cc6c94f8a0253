// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import MusicalTime
internal import Realtime
internal import Synchronization

/// The render half of a clip unit, which mixes up to 64 clips, each from its start frame.
@safe
struct ClipKernel: ~Copyable {
  /// The number of clips that can play at the same time.
  static var voiceLimit: Int {
    @_noAllocation @_noLocks
    get { 64 }
  }
  /// The number of clips that can play or wait at the same time.
  static var slotLimit: Int {
    @_noAllocation @_noLocks
    get { 256 }
  }

  @unsafe
  private struct Voice: BitwiseCopyable {
    var order: ClipOrder
    /// The next frame of the clip.
    var position: Int
    /// The frame of the quantum at which it is played.
    var offset: Int
    var fade: ParameterRamp
    var isCut: Bool
  }

  private let voices: UnsafeMutablePointer<Voice>
  private var voiceCount = 0
  private let waiting: UnsafeMutablePointer<ClipOrder>
  private var waitingCount = 0
  private let orders: RingReader<ClipOrder>
  private let facts: RingWriter<ClipFact>
  private let fadeFrames: Int
  /// Created once, because the initializer is in another module.
  private let atRest = ParameterRamp(1)
  /// The number of clips whose start frame was in the past when they were read.
  let lateCount = Atomic<Int>(0)

  init(orders: RingReader<ClipOrder>, facts: RingWriter<ClipFact>, rate: SampleRate) {
    self.orders = orders
    self.facts = facts
    fadeFrames = Int(rate.hertz) / 200
    unsafe voices = .allocate(capacity: Self.voiceLimit)
    unsafe waiting = .allocate(capacity: Self.slotLimit)
  }

  deinit {
    unsafe voices.deallocate()
    unsafe waiting.deallocate()
  }

  static let function: RenderStep.Function = { kernel, block in
    unsafe kernel.assumingMemoryBound(to: ClipKernel.self).pointee.render(
      block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  @_noAllocation @_noLocks
  private mutating func render(_ block: RenderBlock) {
    let bus = block.output(0)
    bus.clear()
    takeOrders(block.start.frames)
    startDue(block.start.frames)
    var index = 0
    while index < voiceCount {
      let voice = unsafe voices + index
      if unsafe sound(voice, bus, block.start.frames) {
        index &+= 1
      } else {
        voiceCount &-= 1
        unsafe voices[index] = voices[voiceCount]
      }
    }
  }

  @_noAllocation @_noLocks
  private mutating func takeOrders(_ startFrame: Int64) {
    // The number of possible orders limits the loop even if the writer continues.
    for _ in 0..<2 &* Self.slotLimit {
      guard let order = orders.pop() else { return }
      switch order.kind {
      case .cut: cut(order.slot, startFrame)
      case .start:
        if order.startFrame < startFrame &+ Int64(AudioFormat.quantum) {
          begin(order, startFrame)
        } else if waitingCount < Self.slotLimit {
          unsafe waiting[waitingCount] = order
          waitingCount &+= 1
        } else {
          tell(order.slot, .refused, startFrame)
        }
      }
    }
  }

  @_noAllocation @_noLocks
  private mutating func startDue(_ startFrame: Int64) {
    var index = 0
    while index < waitingCount {
      let order = unsafe waiting[index]
      if order.startFrame < startFrame &+ Int64(AudioFormat.quantum) {
        waitingCount &-= 1
        unsafe waiting[index] = waiting[waitingCount]
        begin(order, startFrame)
      } else {
        index &+= 1
      }
    }
  }

  @_noAllocation @_noLocks
  private mutating func begin(_ order: ClipOrder, _ startFrame: Int64) {
    guard voiceCount < Self.voiceLimit else { return tell(order.slot, .refused, startFrame) }
    let isLate = order.startFrame != ClipOrder.atOnce && order.startFrame < startFrame
    if isLate { lateCount.add(1, ordering: .relaxed) }
    let offset = max(0, max(order.startFrame, startFrame) &- startFrame)
    unsafe voices[voiceCount] = unsafe Voice(
      order: order, position: 0, offset: Int(truncatingIfNeeded: offset), fade: atRest,
      isCut: false)
    voiceCount &+= 1
  }

  @_noAllocation @_noLocks
  private mutating func cut(_ slot: Int32, _ startFrame: Int64) {
    for index in 0..<voiceCount {
      let voice = unsafe voices + index
      guard unsafe voice.pointee.order.slot == slot else { continue }
      unsafe voice.pointee.isCut = true
      unsafe voice.pointee.fade.move(to: 0, over: fadeFrames)
    }
    var index = 0
    while index < waitingCount {
      let order = unsafe waiting[index]
      if order.slot == slot {
        waitingCount &-= 1
        unsafe waiting[index] = waiting[waitingCount]
        tell(slot, .cut, startFrame)
      } else {
        index &+= 1
      }
    }
  }

  /// Mixes a voice into the quantum; returns false if the voice has ended.
  @_noAllocation @_noLocks
  private func sound(
    _ voice: UnsafeMutablePointer<Voice>, _ bus: Bus, _ startFrame: Int64
  ) -> Bool {
    let order = unsafe voice.pointee.order
    let offset = unsafe voice.pointee.offset
    let position = unsafe voice.pointee.position
    let count = min(AudioFormat.quantum &- offset, order.frameCount &- position)
    let left = unsafe bus.channel(0) + offset
    let right = unsafe bus.channel(1) + offset
    if unsafe voice.pointee.isCut {
      for frame in 0..<count {
        let fade = unsafe voice.pointee.fade.next()
        unsafe left[frame] += order.left[position &+ frame] * order.leftGain * fade
        unsafe right[frame] += order.right[position &+ frame] * order.rightGain * fade
      }
    } else {
      unsafe Self.add(order.left + position, order.leftGain, left, count)
      unsafe Self.add(order.right + position, order.rightGain, right, count)
    }
    unsafe voice.pointee.position = position &+ count
    unsafe voice.pointee.offset = 0
    let isFaded = unsafe voice.pointee.isCut && voice.pointee.fade.remainingFrames == 0
    guard isFaded || position &+ count == order.frameCount else { return true }
    let end = startFrame &+ Int64(truncatingIfNeeded: offset &+ count)
    tell(order.slot, isFaded ? .cut : .finished, end)
    return false
  }

  @_noAllocation @_noLocks
  private static func add(
    _ source: UnsafePointer<Float>, _ gain: Float, _ sum: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    for frame in 0..<count { unsafe sum[frame] += source[frame] * gain }
  }

  @_noAllocation @_noLocks
  private func tell(_ slot: Int32, _ reason: ClipEnd.Reason, _ endFrame: Int64) {
    // There cannot be more facts than slots, and the ring has room for all of them.
    _ = facts.push(ClipFact(slot: slot, reason: reason, endFrame: endFrame))
  }
}
