// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import MIDIMessages
internal import MusicalTime
internal import Realtime
internal import Synchronization

/// An event on its way to the render thread.
struct InstrumentEvent: BitwiseCopyable, Sendable {
  /// The bytes of a SysEx message that wait in the byte ring; 0 for a message.
  let sysExCount: UInt32
  let message: Message
}

/// What the render thread tells the control side.
struct InstrumentReport: ~Copyable {
  let voiceCount = Atomic<Int>(0)
  let lateEventCount = Atomic<Int>(0)
  let refusedNoteCount = Atomic<Int>(0)
  let stealingNoteCount = Atomic<Int>(0)
  let shedVoiceCount = Atomic<Int>(0)
  /// The highest sample of the wet buses in the last quantum, as a bit pattern; infinity while a
  /// voice sounds.
  let wetPeak = Atomic<UInt32>(0)
  /// Set by the control side, cleared by the render thread once it is done.
  let wantsSilence = Atomic<Bool>(false)
}

/// The render side of an instrument.
///
/// By FluidSynth an event is applied at the quantum whose start is nearest to it, so that it sounds
/// at most 32 frames (0.67 ms at 48 000 Hz) from its time, whatever the device's period: FluidSynth
/// starts notes on 64-frame boundaries only. Our own voices take it in the quantum that it lies in,
/// at its very frame.
@safe
struct InstrumentKernel: ~Copyable {
  /// Events applied in one quantum at most; the rest follow in the next.
  private static var eventLimit: Int {
    @_noAllocation @_noLocks
    get { 512 }
  }

  private var module: SoundModule
  let report = InstrumentReport()
  /// The ends that the render thread holds; the unit owns the queue and the ring.
  private var events: FrameQueueReader<InstrumentEvent>
  private let bytes: RingReader<UInt8>
  private let dryCount: Int
  private let wetCount: Int
  private let pointers: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  private let sysEx: UnsafeMutablePointer<UInt8>
  private var run: SynthRun
  /// Whether voices are shed, lest a quantum take longer than it may.
  private let sheds: Bool
  /// Whether events are applied at their very frames.
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

  /// Makes a quantum with as many voices as there is time for.
  ///
  /// A quarter more than may sound are struck, so that new notes take the place of old ones; what
  /// is let go fades for a quantum, in the time that the budget leaves.
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
    // Vouched for: the clock is read in user space; and only where an instrument is played live.
    unsafe _unsafePerformance { DeadlineWait.now }
  }

  /// Makes a quantum where it is to be.
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

  /// How many quanta may be made at once: none of them but the first has an event.
  @_noAllocation @_noLocks
  private func runLength(_ block: RenderBlock) -> Int {
    let count = min(block.ahead, SynthRun.limit)
    guard count > 1, let event = events.peek() else { return max(count, 1) }
    let quantum = Int64(truncatingIfNeeded: AudioFormat.quantum)
    let distance = event.frame &- block.start.frames
    // What is nearest to a quantum's start is that quantum's.
    let until = isExact ? distance / quantum : (distance &+ quantum / 2 &- 1) / quantum
    return min(count, Int(truncatingIfNeeded: max(until, 1)))
  }

  /// Reads the samples of all presets, where the render thread could not read them.
  func readSamples() { module.synth.readSamples() }

  /// A second module on the same font, to try out what a song will ask for.
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
      // The bytes were written before the event, so all are there.
      unsafe sysEx[place] = bytes.pop() ?? 0
    }
    return count
  }

  /// Forgets what is waiting and ends every sound.
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
    // Where a voice sounds, nobody asks how far the effects have died away.
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
