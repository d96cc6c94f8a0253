// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import MIDIMessages
internal import MusicalTime
internal import Realtime
internal import Synchronization

/// An event for the render thread.
struct InstrumentEvent: BitwiseCopyable, Sendable {
  /// The number of SysEx bytes that wait in the byte ring; 0 for a channel message.
  let sysExCount: UInt32
  let message: Message
}

/// The state that the render thread publishes to the control side.
struct InstrumentReport: ~Copyable {
  let voiceCount = Atomic<Int>(0)
  let lateEventCount = Atomic<Int>(0)
  let refusedNoteCount = Atomic<Int>(0)
  let stealingNoteCount = Atomic<Int>(0)
  let shedVoiceCount = Atomic<Int>(0)
  /// The peak of the wet buses in the last quantum, as a bit pattern; infinity while a voice
  /// sounds.
  let wetPeak = Atomic<UInt32>(0)
  /// The control side sets this, and the render thread clears it after silencing.
  let wantsSilence = Atomic<Bool>(false)
}

/// The render side of an instrument.
///
/// With FluidSynth, an event is applied at the start of the nearest quantum, because FluidSynth
/// starts notes at multiples of 64 frames only. It sounds at most 32 frames (0.67 ms at 48 kHz)
/// from its time, for any device period. Downbeat's own voices apply an event exactly at its frame.
@safe
struct InstrumentKernel: ~Copyable {
  /// The maximum number of events applied in one quantum; others follow in the next.
  private static var eventLimit: Int {
    @_noAllocation @_noLocks
    get { 512 }
  }

  private var module: SoundModule
  let report = InstrumentReport()
  /// The render thread's ends; the unit owns the queue and the ring.
  private var events: FrameQueueReader<InstrumentEvent>
  private let bytes: RingReader<UInt8>
  private let dryCount: Int
  private let wetCount: Int
  private let pointers: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  private let sysEx: UnsafeMutablePointer<UInt8>
  private var run: SynthRun
  /// True if voices are released so that a quantum does not take longer than allowed.
  private let sheds: Bool
  /// True if events are applied exactly at their frames.
  private let isExact: Bool
  private var budget: VoiceBudget

  init(
    _ synth: consuming Synth, _ configuration: InstrumentConfiguration,
    _ events: FrameQueueReader<InstrumentEvent>, bytes: RingReader<UInt8>, byteCapacity: Int
  ) {
    module = SoundModule(synth, configuration)
    self.events = events
    self.bytes = bytes
    dryCount = configuration.dryBuses.rawValue
    wetCount = configuration.busCount - dryCount
    run = SynthRun(channelCount: 2 * configuration.busCount)
    sheds = configuration.workShare != nil
    isExact = configuration.hasExactTimes
    budget = VoiceBudget(
      polyphony: configuration.polyphony,
      work: (configuration.workShare ?? 1) * 1e9 * Double(AudioFormat.quantum)
        / Double(configuration.rate.hertz))
    unsafe pointers = .allocate(capacity: 2 * configuration.busCount)
    unsafe pointers.initialize(repeating: nil, count: 2 * configuration.busCount)
    unsafe sysEx = .allocate(capacity: byteCapacity)
    unsafe sysEx.initialize(repeating: 0, count: byteCapacity)
  }

  deinit {
    unsafe pointers.deallocate()
    unsafe sysEx.deallocate()
  }

  static let function: RenderStep.Function = { kernel, block in
    unsafe kernel.assumingMemoryBound(to: InstrumentKernel.self).pointee.render(
      block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  @_noAllocation @_noLocks
  private mutating func render(_ block: RenderBlock) {
    if report.wantsSilence.load(ordering: .acquiring) { silence() }
    if sheds { return renderWithinTime(block) }
    if run.left == 0 {
      events.takeCancellations()
      applyEvents(startFrame: block.start.frames)
      let count = runLength(block)
      if count == 1 { return make(block) }
      unsafe run.begin(count, pointers)
      process(count)
    }
    run.give(to: block)
    if run.left == 0 { publish(block) }
  }

  /// Renders a quantum with as many voices as time permits.
  ///
  /// A quarter more voices than allowed are started, so that new notes replace old ones. Released
  /// voices fade for a quantum, in the time that the budget leaves.
  @_noAllocation @_noLocks
  private mutating func renderWithinTime(_ block: RenderBlock) {
    let began = Self.now()
    let limit = budget.limit
    module.ceiling = limit &+ max(VoiceBudget.least, limit / 4)
    module.endFaded()
    events.takeCancellations()
    applyEvents(startFrame: block.start.frames)
    module.shed(to: limit)
    let count = module.synth.activeVoiceCount()
    make(block)
    budget.take(nanoseconds: Self.now() &- began, voiceCount: count)
  }

  @_noAllocation @_noLocks
  private static func now() -> Int64 {
    // Vouched for: the clock is read in user space, and only for an instrument that is played live.
    unsafe _unsafePerformance { DeadlineWait.now }
  }

  /// Renders a quantum directly into the output buses.
  @_noAllocation @_noLocks
  private mutating func make(_ block: RenderBlock) {
    for index in 0..<dryCount &+ wetCount {
      let bus = block.output(index)
      bus.clear()
      unsafe pointers[2 &* index] = bus.channel(0)
      unsafe pointers[2 &* index &+ 1] = bus.channel(1)
    }
    process(1)
    publish(block)
  }

  @_noAllocation @_noLocks
  private mutating func process(_ quantumCount: Int) {
    unsafe module.process(
      frameCount: Int32(truncatingIfNeeded: quantumCount &* AudioFormat.quantum),
      wetCount: Int32(truncatingIfNeeded: 2 &* wetCount), wet: pointers + 2 &* dryCount,
      dryCount: Int32(truncatingIfNeeded: 2 &* dryCount), dry: pointers)
  }

  /// The number of quanta that can be rendered at once: only the first of them may have events.
  @_noAllocation @_noLocks
  private func runLength(_ block: RenderBlock) -> Int {
    let count = min(block.ahead, SynthRun.limit)
    guard count > 1, let event = events.peek() else { return max(count, 1) }
    let quantum = Int64(truncatingIfNeeded: AudioFormat.quantum)
    let distance = event.frame &- block.start.frames
    // An event belongs to the quantum whose start is nearest.
    let until = isExact ? distance / quantum : (distance &+ quantum / 2 &- 1) / quantum
    return min(count, Int(truncatingIfNeeded: max(until, 1)))
  }

  /// Reads the samples of all presets, because the render thread cannot read them.
  func readSamples() { module.synth.readSamples() }

  /// Creates a second module with the same fonts, to find the presets that a song uses.
  func rehearsal(_ configuration: InstrumentConfiguration) throws(InstrumentError) -> SoundModule {
    SoundModule(try module.synth.companion(configuration), configuration)
  }

  @_noAllocation @_noLocks
  private mutating func applyEvents(startFrame: Int64) {
    let quantum = Int64(truncatingIfNeeded: AudioFormat.quantum)
    let (early, late) = isExact ? (0, quantum &- 1) : (quantum / 2, quantum / 2)
    for _ in 0..<Self.eventLimit {
      guard let (event, isCancelled) = events.take(upTo: startFrame &+ late) else { return }
      take(
        event.content, isWanted: !isCancelled, isLate: event.frame < startFrame &- early,
        at: isExact ? Int(truncatingIfNeeded: max(0, event.frame &- startFrame)) : 0)
    }
  }

  @_noAllocation @_noLocks
  private mutating func take(
    _ event: InstrumentEvent, isWanted: Bool, isLate: Bool, at frame: Int
  ) {
    if isWanted, isLate { report.lateEventCount.add(1, ordering: .relaxed) }
    if event.sysExCount > 0 {
      let count = takeSysEx(Int(event.sysExCount))
      if isWanted { unsafe module.applySysEx(sysEx, count: count) }
    } else if isWanted {
      module.apply(event.message, at: frame)
    }
  }

  @_noAllocation @_noLocks
  private func takeSysEx(_ count: Int) -> Int {
    for place in 0..<count {
      // The bytes were written before the event, so all of them are present.
      unsafe sysEx[place] = bytes.pop() ?? 0
    }
    return count
  }

  /// Discards waiting events and ends all sounds.
  @_noAllocation @_noLocks
  private mutating func silence() {
    while let (event, _) = events.take(upTo: .max) {
      if event.content.sysExCount > 0 { _ = takeSysEx(Int(event.content.sysExCount)) }
    }
    run.drop()
    module.silence()
    report.wantsSilence.store(false, ordering: .releasing)
  }

  @_noAllocation @_noLocks
  private func publish(_ block: RenderBlock) {
    report.voiceCount.store(module.synth.activeVoiceCount(), ordering: .relaxed)
    report.refusedNoteCount.store(module.refusedNoteCount, ordering: .relaxed)
    report.stealingNoteCount.store(module.stealingNoteCount, ordering: .relaxed)
    report.shedVoiceCount.store(module.shedVoiceCount, ordering: .relaxed)
    // The decay of the effects is not needed while a voice sounds.
    guard module.synth.activeVoiceCount() == 0 else {
      report.wetPeak.store(Float.infinity.bitPattern, ordering: .relaxed)
      return
    }
    var peak: Float = 0
    for index in dryCount..<dryCount &+ wetCount {
      for side in 0..<2 {
        let samples = unsafe block.output(index).channel(side)
        for frame in 0..<AudioFormat.quantum { peak = unsafe max(peak, abs(samples[frame])) }
      }
    }
    report.wetPeak.store(peak.bitPattern, ordering: .relaxed)
  }
}
