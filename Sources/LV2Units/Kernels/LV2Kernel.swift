// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import CLilv
internal import MIDIMessages
internal import MusicalTime
internal import Realtime
internal import Synchronization

/// The render side of a plug-in: copies each quantum to its instances and their output back.
///
/// The ports stay connected to memory that belongs to the kernel, so a plug-in cannot change a bus
/// that other units read.
@safe
struct LV2Kernel: ~Copyable {
  /// Threshold of silence: −100 dB of full scale.
  private static var silence: Float {
    @_noAllocation @_noLocks
    get { 1e-5 }
  }

  /// State shared between the render thread and other threads.
  struct Report: ~Copyable {
    let isQuiet = Atomic(true)
    let latency = Atomic<Int>(0)
    let lateEvents = Atomic<Int>(0)
    let wantsSilence = Atomic(false)
    /// True once a reader takes the messages that the plug-in sends, and the number of those
    /// dropped for lack of room.
    let isHeard = Atomic(false)
    let refusedEvents = Atomic<Int>(0)
    /// True if the plug-in has rendered.
    let hasRun = Atomic(false)
    /// Number of blocks that took longer than they last, and the longest such time in nanoseconds.
    let slowBlocks = Atomic<Int>(0)
    let longestBlock = Atomic<Int>(0)
    /// 0 while the instances are idle, 1 during rendering, 2 during a state change.
    let gate = Atomic<Int>(0)
  }

  let report = Report()
  private let plan: Plan
  private let bank: ParameterBank
  private var events: FrameQueueReader<MessagePiece>
  private var positions: FrameQueueReader<LV2Position>
  private let sent: RingWriter<SentPiece>
  private var assembly = MessageAssembly()
  /// Length of a complete message that waits for room in the plug-in's input; 0 if none waits.
  private var waitingLength = 0
  private var waitingFrame: Int64 = 0
  /// True if a control has changed since the instances received the values.
  private var hasMoved = true

  /// A piece of a message that a plug-in sends, and the frame at which it is due.
  struct SentPiece: BitwiseCopyable, Sendable {
    let frame: Int64
    let piece: MessagePiece
  }

  /// Pointers to all the memory of a unit.
  @safe
  struct Plan: BitwiseCopyable {
    /// The plug-in's URI, which is never freed.
    let uri: UnsafePointer<CChar>
    let framesPerRun: Int
    /// Duration of a quantum in nanoseconds if blocks are timed; otherwise 0.
    let quantumTime: Int64
    let instances: UnsafeMutablePointer<UnsafeMutablePointer<LilvInstance>>
    let workers: UnsafeMutablePointer<UnsafeMutablePointer<WorkerKernel>>
    /// True if the instances may work outside the render thread.
    let isWorking: Bool
    let instanceCount: Int
    let samples: UnsafeMutablePointer<Float>
    let feeds: UnsafeMutablePointer<LV2Wiring.Way>
    let feedCount: Int
    let takes: UnsafeMutablePointer<LV2Wiring.Way>
    let takeCount: Int
    /// The values of the control inputs, in the order of the parameters.
    let controls: UnsafeMutablePointer<Float>
    let controlCount: Int
    let inputs: UnsafeMutablePointer<SequenceKernel>
    let inputCount: Int
    /// Indices of the inputs for messages and for song positions; −1 if none.
    let messageInput: Int
    let positionInput: Int
    let outputs: UnsafeMutablePointer<SequenceKernel>
    let outputCount: Int
    /// Number of event outputs of the first instance, the only ones read.
    let heardOutputCount: Int
    /// The first instance's latency port; nil if it has none.
    let latency: UnsafeMutablePointer<Float>?
  }

  init(
    plan: Plan, bank: ParameterBank, events: FrameQueueReader<MessagePiece>,
    positions: FrameQueueReader<LV2Position>, sent: RingWriter<SentPiece>
  ) {
    self.plan = plan
    self.bank = bank
    self.events = events
    self.positions = positions
    self.sent = sent
  }

  deinit {
    assembly.deallocate()
  }

  static let function: RenderStep.Function = { kernel, block in
    unsafe kernel.assumingMemoryBound(to: LV2Kernel.self).pointee.render(
      block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  @_noAllocation @_noLocks
  private mutating func render(_ block: RenderBlock) {
    if bank.advance(startFrame: block.start.frames) { hasMoved = true }
    guard report.gate.compareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged
    else { return block.output(0).clear() }
    let began = plan.quantumTime > 0 ? Self.now() : 0
    for frame in stride(from: 0, to: AudioFormat.quantum, by: plan.framesPerRun) {
      if hasMoved { setControls(frame) }
      takeEvents(block.start.frames &+ Int64(truncatingIfNeeded: frame))
      feed(block, frame)
      run()
      take(block, frame)
      if report.isHeard.load(ordering: .relaxed) {
        takeSent(block.start.frames &+ Int64(truncatingIfNeeded: frame))
      }
    }
    hasMoved = false
    if plan.quantumTime > 0 { countTime(Self.now() &- began) }
    report.hasRun.store(true, ordering: .relaxed)
    report.gate.store(0, ordering: .releasing)
    if let latency = unsafe plan.latency {
      let frames = unsafe latency.pointee
      if frames >= 0, frames < 1e7 { report.latency.store(Int(frames), ordering: .relaxed) }
    }
    report.isQuiet.store(Self.isSilent(block.output(0)), ordering: .relaxed)
  }

  @_noAllocation @_noLocks
  private static func now() -> Int64 {
    // Safe in real time: the clock is read in user space.
    unsafe _unsafePerformance { DeadlineWait.now }
  }

  /// Counts a block that took too long.
  @_noAllocation @_noLocks
  private func countTime(_ nanoseconds: Int64) {
    guard nanoseconds > plan.quantumTime else { return }
    let time = Int(truncatingIfNeeded: nanoseconds)
    if time > report.longestBlock.load(ordering: .relaxed) {
      report.longestBlock.store(time, ordering: .relaxed)
    }
    report.slowBlocks.store(report.slowBlocks.load(ordering: .relaxed) &+ 1, ordering: .releasing)
  }

  /// Sets the controls to their values at the end of the run.
  @_noAllocation @_noLocks
  private func setControls(_ frame: Int) {
    let last = frame &+ plan.framesPerRun &- 1
    for index in 0..<plan.controlCount {
      unsafe plan.controls[index] = bank.curve(index)[last]
    }
  }

  /// Writes the events due within the run to the plug-in's input.
  @_noAllocation @_noLocks
  private mutating func takeEvents(_ start: Int64) {
    for index in 0..<plan.inputCount { unsafe plan.inputs[index].begin() }
    for index in 0..<plan.outputCount { unsafe plan.outputs[index].offer() }
    let end = start &+ Int64(truncatingIfNeeded: plan.framesPerRun)
    while let entry = positions.next(before: end) {
      guard plan.positionInput >= 0 else { continue }
      // Later entries in this sequence are messages, which must not precede the position.
      let frame = plan.positionInput == plan.messageInput ? 0 : max(0, entry.frame &- start)
      unsafe plan.inputs[plan.positionInput].append(
        entry.content, songFrame: entry.frame, at: frame)
    }
    // Loaded first because an exchange costs as much as copying a quantum.
    if report.wantsSilence.load(ordering: .relaxed),
      report.wantsSilence.exchange(false, ordering: .acquiring)
    {
      silence()
    }
    guard plan.messageInput >= 0 else {
      while events.next(before: end) != nil {}
      return
    }
    guard waitingLength == 0 || append(waitingLength, waitingFrame, start) else { return }
    waitingLength = 0
    while let entry = events.next(before: end) {
      let length = assembly.add(entry.content)
      guard length > 0, !append(length, entry.frame, start) else { continue }
      (waitingLength, waitingFrame) = (length, entry.frame)
      return
    }
  }

  /// Gives the assembled message to the plug-in; returns false if the input is full.
  @_noAllocation @_noLocks
  private func append(_ length: Int, _ frame: Int64, _ start: Int64) -> Bool {
    let sequence = unsafe plan.inputs + plan.messageInput
    guard unsafe sequence.pointee.hasRoom(for: length) else { return false }
    if frame < start { report.lateEvents.add(1, ordering: .relaxed) }
    unsafe sequence.pointee.append(assembly.bytes, count: length, at: max(0, frame &- start))
    return true
  }

  /// Forwards the messages that the first instance sent.
  @_noAllocation @_noLocks
  private func takeSent(_ start: Int64) {
    for index in 0..<plan.heardOutputCount {
      var place = SequenceKernel.firstPlace
      while let message = unsafe plan.outputs[index].next(&place) {
        let last = Int64(truncatingIfNeeded: plan.framesPerRun &- 1)
        let frame = start &+ min(max(0, message.frame), last)
        guard message.count <= MessagePiece.longest,
          sent.room >= MessagePiece.count(of: message.count)
        else {
          report.refusedEvents.add(1, ordering: .relaxed)
          continue
        }
        push(message, frame)
      }
    }
  }

  @_noAllocation @_noLocks
  private func push(_ message: SequenceKernel.Written, _ frame: Int64) {
    var place = 0
    while place < message.count {
      var piece = MessagePiece(length: place == 0 ? message.count : 0)
      while place < message.count, Int(piece.count) < MessagePiece.capacity {
        unsafe piece.append(message.bytes[place])
        place &+= 1
      }
      _ = sent.push(SentPiece(frame: frame, piece: piece))
    }
  }

  /// Discards queued events and silences all channels.
  @_noAllocation @_noLocks
  private mutating func silence() {
    while events.next(before: .max) != nil {}
    waitingLength = 0
    guard plan.messageInput >= 0 else { return }
    for channel: UInt8 in 0..<16 {
      let status = 0xB0 | channel
      unsafe plan.inputs[plan.messageInput].append(Message(status: status, data1: 120), at: 0)
      unsafe plan.inputs[plan.messageInput].append(Message(status: status, data1: 123), at: 0)
    }
  }

  @_noAllocation @_noLocks
  private func feed(_ block: RenderBlock, _ frame: Int) {
    for index in 0..<plan.feedCount {
      let way = unsafe plan.feeds[index]
      let target = unsafe plan.samples + way.buffer &* AudioFormat.quantum
      if way.channel < 0 {
        let (left, right) = unsafe (block.input(0).channel(0), block.input(0).channel(1))
        for place in 0..<plan.framesPerRun {
          unsafe target[place] = (left[frame &+ place] + right[frame &+ place]) * 0.5
        }
      } else {
        let source = unsafe block.input(0).channel(way.channel) + frame
        for place in 0..<plan.framesPerRun { unsafe target[place] = source[place] }
      }
    }
  }

  @_noAllocation @_noLocks
  private func run() {
    for index in 0..<plan.instanceCount {
      unsafe clilv_run(
        plan.instances[index], plan.uri, UInt32(truncatingIfNeeded: plan.framesPerRun))
      if plan.isWorking { unsafe plan.workers[index].pointee.finishRun() }
    }
  }

  @_noAllocation @_noLocks
  private func take(_ block: RenderBlock, _ frame: Int) {
    for index in 0..<plan.takeCount {
      let way = unsafe plan.takes[index]
      let source = unsafe plan.samples + way.buffer &* AudioFormat.quantum
      let target = unsafe block.output(0).channel(way.channel) + frame
      for place in 0..<plan.framesPerRun { unsafe target[place] = source[place] }
    }
  }

  @_noAllocation @_noLocks
  private static func isSilent(_ bus: Bus) -> Bool {
    for channel in 0..<bus.channelCount {
      let samples = unsafe bus.channel(channel)
      for frame in 0..<AudioFormat.quantum where unsafe samples[frame].magnitude > silence {
        return false
      }
    }
    return true
  }
}
