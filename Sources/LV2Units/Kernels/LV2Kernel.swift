// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import CLilv
internal import MIDIMessages
internal import MusicalTime
internal import Realtime
internal import Synchronization

/// The render side of a plug-in: hands a quantum to its instances, and takes what they made.
///
/// Ports are connected once, to memory of the kernel's own: what a plug-in does with it cannot spoil a
/// bus that others hear.
@safe
struct LV2Kernel: ~Copyable {
  /// What is quieter counts as silence: −100 dB of full scale.
  private static var silence: Float {
    @_noAllocation @_noLocks
    get { 1e-5 }
  }

  /// What the render thread tells, and is told.
  struct Report: ~Copyable {
    let isQuiet = Atomic(true)
    let latency = Atomic<Int>(0)
    let lateEvents = Atomic<Int>(0)
    let wantsSilence = Atomic(false)
    /// Whether anybody takes what the plug-in sends, and what found no room.
    let isHeard = Atomic(false)
    let refusedEvents = Atomic<Int>(0)
    /// Whether it has rendered.
    let hasRun = Atomic(false)
    /// Blocks that took longer than they sound, and the nanoseconds of the longest of them.
    let slowBlocks = Atomic<Int>(0)
    let longestBlock = Atomic<Int>(0)
    /// 0 while nobody uses the instances, 1 while they render, 2 while their state is changed.
    let gate = Atomic<Int>(0)
  }

  let report = Report()
  private let plan: Plan
  private let bank: ParameterBank
  private var events: FrameQueueReader<MessagePiece>
  private var positions: FrameQueueReader<LV2Position>
  private let sent: RingWriter<SentPiece>
  private var assembly = MessageAssembly()
  /// A message that is whole and waits for room, where its length is above 0.
  private var waitingLength = 0
  private var waitingFrame: Int64 = 0
  /// Whether a control has moved since the instances were told.
  private var hasMoved = true

  /// A piece of what a plug-in sends, and the frame it is due at.
  struct SentPiece: BitwiseCopyable, Sendable {
    let frame: Int64
    let piece: MessagePiece
  }

  /// Where everything lies; the unit's memory.
  @safe
  struct Plan: BitwiseCopyable {
    /// The plug-in's URI, which is never freed.
    let uri: UnsafePointer<CChar>
    let framesPerRun: Int
    /// How long a quantum sounds, in nanoseconds, where its time is taken; 0 where it is not.
    let quantumTime: Int64
    let instances: UnsafeMutablePointer<UnsafeMutablePointer<LilvInstance>>
    let workers: UnsafeMutablePointer<UnsafeMutablePointer<WorkerKernel>>
    /// Whether the instances can work beside the render thread.
    let isWorking: Bool
    let instanceCount: Int
    let samples: UnsafeMutablePointer<Float>
    let feeds: UnsafeMutablePointer<LV2Wiring.Way>
    let feedCount: Int
    let takes: UnsafeMutablePointer<LV2Wiring.Way>
    let takeCount: Int
    /// The control ports that are inputs, in the order of the parameters.
    let controls: UnsafeMutablePointer<Float>
    let controlCount: Int
    let inputs: UnsafeMutablePointer<SequenceKernel>
    let inputCount: Int
    /// Which of the inputs takes messages, and which places in a song; −1 for none.
    let messageInput: Int
    let positionInput: Int
    let outputs: UnsafeMutablePointer<SequenceKernel>
    let outputCount: Int
    /// Those of the first instance, which are listened to.
    let heardOutputCount: Int
    /// Where the first instance tells its latency; null where it tells none.
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
    // Vouched for: the clock is read in user space.
    unsafe _unsafePerformance { DeadlineWait.now }
  }

  /// Notes what took too long.
  @_noAllocation @_noLocks
  private func countTime(_ nanoseconds: Int64) {
    guard nanoseconds > plan.quantumTime else { return }
    let time = Int(truncatingIfNeeded: nanoseconds)
    if time > report.longestBlock.load(ordering: .relaxed) {
      report.longestBlock.store(time, ordering: .relaxed)
    }
    report.slowBlocks.store(report.slowBlocks.load(ordering: .relaxed) &+ 1, ordering: .releasing)
  }

  /// The values that the controls have at the end of the run.
  @_noAllocation @_noLocks
  private func setControls(_ frame: Int) {
    let last = frame &+ plan.framesPerRun &- 1
    for index in 0..<plan.controlCount {
      unsafe plan.controls[index] = bank.curve(index)[last]
    }
  }

  /// Writes what is due within the run where the plug-in reads it.
  @_noAllocation @_noLocks
  private mutating func takeEvents(_ start: Int64) {
    for index in 0..<plan.inputCount { unsafe plan.inputs[index].begin() }
    for index in 0..<plan.outputCount { unsafe plan.outputs[index].offer() }
    let end = start &+ Int64(truncatingIfNeeded: plan.framesPerRun)
    while let entry = positions.next(before: end) {
      guard plan.positionInput >= 0 else { continue }
      // What stands behind it in the sequence is a message: it may not come later than that.
      let frame = plan.positionInput == plan.messageInput ? 0 : max(0, entry.frame &- start)
      unsafe plan.inputs[plan.positionInput].append(
        entry.content, songFrame: entry.frame, at: frame)
    }
    // Asked first, since an exchange costs as much as a quantum's copy.
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

  /// Gives the plug-in the message that was put together, or returns false where it finds no room.
  @_noAllocation @_noLocks
  private func append(_ length: Int, _ frame: Int64, _ start: Int64) -> Bool {
    let sequence = unsafe plan.inputs + plan.messageInput
    guard unsafe sequence.pointee.hasRoom(for: length) else { return false }
    if frame < start { report.lateEvents.add(1, ordering: .relaxed) }
    unsafe sequence.pointee.append(assembly.bytes, count: length, at: max(0, frame &- start))
    return true
  }

  /// Hands on what the first instance has sent.
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

  /// Forgets what waits, and has every channel fall silent.
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
