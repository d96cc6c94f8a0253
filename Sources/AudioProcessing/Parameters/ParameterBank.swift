// SPDX-License-Identifier: Apache-2.0
internal import Realtime
internal import Synchronization

/// A change of a parameter that is sent to the render thread.
struct ParameterMove: BitwiseCopyable, Sendable {
  let index: Int32
  /// The frames in which the value is reached.
  let frameCount: Int32
  let value: Float
}

/// The render side of a unit's parameters: a value for each, or a value for each frame.
///
/// It refers to memory that the unit's `ParameterSet` owns.
///
/// - Note: Real-time safe.
@safe
package struct ParameterBank: BitwiseCopyable, @unchecked Sendable {
  // Unchecked: the control side writes `targets` and `serial`, and the render thread reads them.
  // The render thread writes `values` and `late`, and the control side reads them. The rest belongs
  // to the render thread.

  private struct State: BitwiseCopyable {
    var ramp: ParameterRamp
    /// The last request of the control side.
    var target: UInt64
    /// The value before the current quantum.
    var before: Float = 0
    /// The frames of this quantum that are in the curve.
    var filledFrames = 0
    var isMoving = false
    var least: Float = 0
    var most: Float = 0
  }

  private struct Head: ~Copyable {
    var events: FrameQueueReader<ParameterMove>
    var seenSerial = 0
    var movingCount = 0
    /// True from the first quantum on.
    var hasBegun = false
    let serial = Atomic<Int>(0)
    let late = Atomic<Int>(0)
  }

  let count: Int
  private let head: UnsafeMutablePointer<Head>
  private let states: UnsafeMutablePointer<State>
  private let curves: UnsafeMutablePointer<Float>
  private let moving: UnsafeMutablePointer<Int>
  private let targets: UnsafeMutablePointer<Atomic<UInt64>>
  private let values: UnsafeMutablePointer<Atomic<UInt32>>

  init(_ parameters: [Parameter], _ events: FrameQueueReader<ParameterMove>) {
    count = parameters.count
    let room = max(1, count)
    unsafe head = .allocate(capacity: 1)
    unsafe head.initialize(to: Head(events: events))
    unsafe states = .allocate(capacity: room)
    unsafe curves = SampleLoop.allocate(channelCount: room)
    unsafe moving = .allocate(capacity: room)
    unsafe targets = .allocate(capacity: room)
    unsafe values = .allocate(capacity: room)
    unsafe moving.initialize(repeating: 0, count: room)
    for (index, parameter) in parameters.enumerated() {
      let target = Self.pack(parameter.initialValue, frameCount: 0, counter: 0)
      unsafe (states + index).initialize(
        to: State(
          ramp: ParameterRamp(parameter.initialValue), target: target,
          least: parameter.range.lowerBound, most: parameter.range.upperBound))
      unsafe (targets + index).initialize(to: Atomic(target))
      unsafe (values + index).initialize(to: Atomic(parameter.initialValue.bitPattern))
    }
  }

  func deallocate() {
    unsafe head.deinitialize(count: 1).deallocate()
    unsafe states.deallocate()
    unsafe curves.deallocate()
    unsafe moving.deallocate()
    unsafe targets.deinitialize(count: count).deallocate()
    unsafe values.deinitialize(count: count).deallocate()
  }

  /// The bit of a counter that marks a ramp whose length was asked for.
  static let isTimed: UInt8 = 0x80

  /// Packs a value, the length of the ramp, and a counter that distinguishes equal requests.
  private static func pack(_ value: Float, frameCount: Int, counter: UInt8) -> UInt64 {
    UInt64(value.bitPattern) << 32 | UInt64(frameCount) << 8 | UInt64(counter)
  }
}

// Control side.
extension ParameterBank {
  /// Requests a value.
  func aim(_ index: Int, at value: Float, over frameCount: Int, counter: UInt8) {
    let target = Self.pack(value, frameCount: frameCount, counter: counter)
    unsafe targets[index].store(target, ordering: .relaxed)
    unsafe values[index].store(value.bitPattern, ordering: .relaxed)
    unsafe head.pointee.serial.add(1, ordering: .releasing)
  }

  /// The value that a parameter has or moves to.
  func value(reported index: Int) -> Float {
    precondition((0..<count).contains(index), "parameter index out of range")
    return unsafe Float(bitPattern: values[index].load(ordering: .relaxed))
  }

  var lateEventCount: Int { unsafe head.pointee.late.load(ordering: .relaxed) }
}

// Render thread.
extension ParameterBank {
  /// The value at the last frame of the quantum.
  @_noAllocation @_noLocks
  func value(_ index: Int) -> Float { unsafe states[index].ramp.value }

  /// True if the value changes within the quantum.
  @_noAllocation @_noLocks
  func isMoving(_ index: Int) -> Bool { unsafe states[index].isMoving }

  /// The value at each frame of the quantum.
  ///
  /// - Complexity: O(quantum) if the value does not change.
  @_noAllocation @_noLocks
  package func curve(_ index: Int) -> UnsafePointer<Float> {
    let curve = unsafe curves + index &* AudioFormat.quantum
    if unsafe !states[index].isMoving {
      unsafe curve.update(repeating: value(index), count: AudioFormat.quantum)
    }
    return unsafe UnsafePointer(curve)
  }

  /// Advances all parameters by a quantum; returns true if any has changed.
  ///
  /// - Complexity: O(n) in the number of changing parameters, or of all parameters if the control
  ///   side has set one.
  @_noAllocation @_noLocks
  package func advance(startFrame: Int64) -> Bool {
    settle()
    takeTargets()
    takeEvents(startFrame: startFrame)
    let count = unsafe head.pointee.movingCount
    for place in 0..<count { unsafe fill(moving[place], upTo: AudioFormat.quantum) }
    return count > 0
  }

  /// Begins a quantum: parameters that reached their target are no longer moving.
  @_noAllocation @_noLocks
  private func settle() {
    var kept = 0
    for place in 0..<(unsafe head.pointee.movingCount) {
      let index = unsafe moving[place]
      let state = unsafe states + index
      unsafe state.pointee.filledFrames = 0
      unsafe state.pointee.isMoving = state.pointee.ramp.remainingFrames > 0
      guard unsafe state.pointee.isMoving else { continue }
      unsafe state.pointee.before = state.pointee.ramp.value
      unsafe moving[kept] = index
      kept &+= 1
    }
    unsafe head.pointee.movingCount = kept
  }

  @_noAllocation @_noLocks
  private func takeTargets() {
    let serial = unsafe head.pointee.serial.load(ordering: .acquiring)
    // Before the first quantum nothing sounds: a ramp would let the initial value through.
    let isFirst = unsafe !head.pointee.hasBegun
    unsafe head.pointee.hasBegun = true
    guard unsafe serial != head.pointee.seenSerial else { return }
    unsafe head.pointee.seenSerial = serial
    for index in 0..<count {
      let target = unsafe targets[index].load(ordering: .relaxed)
      guard unsafe target != states[index].target else { continue }
      unsafe states[index].target = target
      let value = Float(bitPattern: UInt32(truncatingIfNeeded: target >> 32))
      let isAtOnce = isFirst && UInt8(truncatingIfNeeded: target) & Self.isTimed == 0
      let length = Int(truncatingIfNeeded: target >> 8 & 0xFF_FFFF)
      begin(index, to: value, over: isAtOnce ? 0 : length, at: 0)
    }
  }

  @_noAllocation @_noLocks
  private func takeEvents(startFrame: Int64) {
    let end = startFrame &+ Int64(truncatingIfNeeded: AudioFormat.quantum)
    while let event = unsafe head.pointee.events.next(before: end) {
      if event.frame < startFrame {
        unsafe head.pointee.late.store(
          head.pointee.late.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
      }
      let move = event.content
      let index = Int(move.index)
      let offset = Int(truncatingIfNeeded: max(0, event.frame &- startFrame))
      begin(index, to: move.value, over: Int(move.frameCount), at: offset)
      unsafe values[index].store(move.value.bitPattern, ordering: .relaxed)
    }
  }

  @_noAllocation @_noLocks
  private func begin(_ index: Int, to value: Float, over frameCount: Int, at offset: Int) {
    noteMoving(index)
    fill(index, upTo: offset)
    unsafe states[index].ramp.move(to: value, over: frameCount)
  }

  @_noAllocation @_noLocks
  private func noteMoving(_ index: Int) {
    guard unsafe !states[index].isMoving else { return }
    unsafe states[index].isMoving = true
    unsafe states[index].before = states[index].ramp.value
    unsafe moving[head.pointee.movingCount] = index
    unsafe head.pointee.movingCount &+= 1
  }

  /// Starts a ramp at a frame of the quantum that `advance` has filled, replacing the values from
  /// there.
  ///
  /// This is for kernels that determine parameters within a quantum.
  @_noAllocation @_noLocks
  func move(_ index: Int, to value: Float, over frameCount: Int, from offset: Int) {
    noteMoving(index)
    let curve = unsafe curves + index &* AudioFormat.quantum
    fill(index, upTo: AudioFormat.quantum)
    let start = unsafe offset == 0 ? states[index].before : curve[offset &- 1]
    unsafe states[index].ramp.move(to: start, over: 0)
    unsafe states[index].ramp.move(to: value, over: frameCount)
    unsafe states[index].ramp.fill(curve + offset, count: AudioFormat.quantum &- offset)
    unsafe values[index].store(value.bitPattern, ordering: .relaxed)
  }

  /// Requests a value on the render thread, for the next quantum.
  ///
  /// For a kernel outside a graph, whose parameters are not set otherwise. The value is limited to
  /// the parameter's range.
  @_noAllocation @_noLocks
  package func steer(_ index: Int, to value: Float, over frameCount: Int) {
    guard index >= 0, index < count else { return }
    noteMoving(index)
    let held = unsafe min(states[index].most, max(states[index].least, value))
    unsafe states[index].ramp.move(to: held, over: frameCount)
  }

  @_noAllocation @_noLocks
  private func fill(_ index: Int, upTo frame: Int) {
    let state = unsafe states + index
    let first = unsafe state.pointee.filledFrames
    guard frame > first else { return }
    let curve = unsafe curves + (index &* AudioFormat.quantum &+ first)
    unsafe state.pointee.ramp.fill(curve, count: frame &- first)
    unsafe state.pointee.filledFrames = frame
  }
}
