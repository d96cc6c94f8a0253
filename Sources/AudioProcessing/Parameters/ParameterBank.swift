// SPDX-License-Identifier: Apache-2.0
internal import Realtime
internal import Synchronization

/// A movement of a parameter, on its way to the render thread.
struct ParameterMove: BitwiseCopyable, Sendable {
  let index: Int32
  /// The frames in which the value is reached.
  let frameCount: Int32
  let value: Float
}

/// The render side of a unit's parameters: each a value, or a value for every frame.
///
/// It names memory that the unit's `ParameterSet` owns.
///
/// - Note: Real-time safe.
@safe
package struct ParameterBank: BitwiseCopyable, @unchecked Sendable {
  // Unchecked: `targets` and `serial` have the control side as writer and the render thread as
  // reader; `values` and `late` the other way round; the rest is the render thread's.

  private struct State: BitwiseCopyable {
    var ramp: ParameterRamp
    /// What the control side asked for last.
    var target: UInt64
    /// Where the value was before a quantum in which it moves.
    var before: Float = 0
    /// The frames of this quantum whose values are in the curve.
    var filledFrames = 0
    var isMoving = false
    var least: Float = 0
    var most: Float = 0
  }

  private struct Head: ~Copyable {
    var events: FrameQueueReader<ParameterMove>
    var seenSerial = 0
    var movingCount = 0
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

  /// A value, the length of the way there, and a count that tells two equal orders apart.
  private static func pack(_ value: Float, frameCount: Int, counter: UInt8) -> UInt64 {
    UInt64(value.bitPattern) << 32 | UInt64(frameCount) << 8 | UInt64(counter)
  }
}

// The control side.
extension ParameterBank {
  /// Asks for a value.
  func aim(_ index: Int, at value: Float, over frameCount: Int, counter: UInt8) {
    let target = Self.pack(value, frameCount: frameCount, counter: counter)
    unsafe targets[index].store(target, ordering: .relaxed)
    unsafe values[index].store(value.bitPattern, ordering: .relaxed)
    unsafe head.pointee.serial.add(1, ordering: .releasing)
  }

  /// Where a parameter is or goes.
  func value(reported index: Int) -> Float {
    precondition((0..<count).contains(index), "parameter index out of range")
    return unsafe Float(bitPattern: values[index].load(ordering: .relaxed))
  }

  var lateEventCount: Int { unsafe head.pointee.late.load(ordering: .relaxed) }
}

// The render thread.
extension ParameterBank {
  /// The value at the last frame of the quantum.
  @_noAllocation @_noLocks
  func value(_ index: Int) -> Float { unsafe states[index].ramp.value }

  /// Whether the value is another at some frame of the quantum than at its end.
  @_noAllocation @_noLocks
  func isMoving(_ index: Int) -> Bool { unsafe states[index].isMoving }

  /// The value at each frame of the quantum.
  ///
  /// - Complexity: O(quantum) where the value does not move.
  @_noAllocation @_noLocks
  package func curve(_ index: Int) -> UnsafePointer<Float> {
    let curve = unsafe curves + index &* AudioFormat.quantum
    if unsafe !states[index].isMoving {
      unsafe curve.update(repeating: value(index), count: AudioFormat.quantum)
    }
    return unsafe UnsafePointer(curve)
  }

  /// Moves every parameter on by a quantum; returns whether any has moved.
  ///
  /// - Complexity: O(n) in the number of parameters that move, or of all where the control side
  ///   has set one.
  @_noAllocation @_noLocks
  package func advance(startFrame: Int64) -> Bool {
    settle()
    takeTargets()
    takeEvents(startFrame: startFrame)
    let count = unsafe head.pointee.movingCount
    for place in 0..<count { unsafe fill(moving[place], upTo: AudioFormat.quantum) }
    return count > 0
  }

  /// Begins a new quantum: what has arrived moves no more.
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
    guard unsafe serial != head.pointee.seenSerial else { return }
    unsafe head.pointee.seenSerial = serial
    for index in 0..<count {
      let target = unsafe targets[index].load(ordering: .relaxed)
      guard unsafe target != states[index].target else { continue }
      unsafe states[index].target = target
      let value = Float(bitPattern: UInt32(truncatingIfNeeded: target >> 32))
      begin(index, to: value, over: Int(truncatingIfNeeded: target >> 8 & 0xFF_FFFF), at: 0)
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

  /// Begins a movement at a frame of the quantum that `advance` has filled, in place of all that was
  /// to come of it there: for a kernel that finds out within a quantum where its parameters go.
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

  /// Asks for a value from the render thread, for the quantum that `advance` begins next.
  ///
  /// For a kernel outside a graph, whose parameters nothing else sets. The value is held within the
  /// parameter's range.
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
