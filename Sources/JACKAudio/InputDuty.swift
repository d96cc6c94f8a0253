// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import CJACK
internal import MusicalTime
internal import Realtime
internal import Synchronization

/// The ports of an input, whose sound is read, or played by a plan.
@safe
final class InputDuty: JACKDuty, @unchecked Sendable {
  // Unchecked: as its superclass; other threads read only a ring, a snapshot or atomic values.

  /// The number of cycles without room in the ring, and of losses of the server.
  let lostCount = Atomic<Int>(0)
  /// True while the server is gone, from its last cycle until the first after its return.
  let isAway = Atomic<Bool>(false)
  /// Interleaved samples.
  let samples: RingBuffer<Float>
  /// Woken by new samples, and by the end of the server.
  let news: DeadlineWait
  let clock = Snapshot<SampleClock?>(nil)
  /// The frames from a sound to its arrival, as of the last cycle.
  let lateness = Atomic<Int>(0)
  /// The client's frame count at frame 0 of the input.
  let origin = FrameOrigin()
  /// Plays the input in the cycle in which it arrives; nil if the input is read.
  let unit: InputUnit?
  private let clockWriter: SnapshotWriter<SampleClock?>
  private let names: [String]
  private let target: JACKTarget
  private let rate: SampleRate
  /// The output whose plan plays it.
  private let output: OutputDuty?
  /// The latency that the server reports.
  private let latency = Atomic<Int>(0)
  /// The latency of the outputs that are its only sources; negative if there are other
  /// sources.
  private let echo = Atomic<Int>(-1)
  /// The last reported passage, and whether the sound was an echo of outputs at that time.
  private let told = Mutex<(passage: Int, isEcho: Bool)>((0, false))
  private let chunk: UnsafeMutableBufferPointer<Float>
  private var ports: [JACKPort] = []
  /// The number of ports that the target had at first.
  private var sourceCount: Int?
  private var line = LineHistory()
  private var taken: Int64 = 0
  /// The frames of the last cycle; 0 before the first.
  private var lastFrameCount = 0

  /// The number of frames that are written into the ring at a time.
  private static let step = 64

  init(
    names: [String], target: JACKTarget, rate: SampleRate, capacity frames: Int,
    playedBy output: OutputDuty?
  ) throws(RealtimeError) {
    (self.names, self.target, self.rate, self.output) = (names, target, rate, output)
    samples = RingBuffer(minimumCapacity: output == nil ? frames * names.count : 1)
    news = try DeadlineWait()
    clockWriter = clock.writer
    unsafe chunk = .allocate(capacity: Self.step * names.count)
    unsafe chunk.initialize(repeating: 0)
    unit = output.map { _ in
      InputUnit(
        name: "input", channelCount: names.count, clock: .same, heldFrames: AudioFormat.quantum,
        room: frames, rate: rate)
    }
    super.init()
    output?.play(self)
  }

  deinit { unsafe chunk.deallocate() }

  override var order: Order { .receiving }

  /// The frames from its ports to those of the output that plays it.
  ///
  /// A cycle may have any number of frames, but a quantum is rendered as a whole, so the sound is
  /// always a quantum late.
  var passage: Int { output.map { AudioFormat.quantum + $0.graphLatency } ?? 0 }

  override func open(_ handle: JACKHandle) throws(JACKError) {
    ports = []
    for name in names {
      ports.append(try handle.port(name, JACKHandle.audio, JackPortIsInput))
    }
  }

  override func close(_ handle: JACKHandle) {
    for port in ports { handle.remove(port) }
    ports = []
  }

  override func connect(_ handle: JACKHandle) throws(JACKError) -> Bool {
    let sources = try target.ports(of: handle, JackPortIsOutput)
    for (source, port) in zip(sources, ports) {
      handle.connect(source, to: handle.name(of: port))
    }
    sourceCount = sourceCount ?? sources.count
    return sources.count >= sourceCount ?? 0
  }

  override func process(_ cycle: JACKCycle) {
    if isAway.load(ordering: .relaxed) { isAway.store(false, ordering: .releasing) }
    let late = lateness(in: cycle)
    lateness.store(late, ordering: .relaxed)
    lastFrameCount = cycle.frameCount
    // A cycle is stored as a whole or not at all; if one is missing, the count restarts.
    guard unit != nil || samples.writer.room >= cycle.frameCount * ports.count else {
      lostCount.add(1, ordering: .relaxed)
      return
    }
    if let clock = line.clock(
      cycle, playing: taken, latency: 0, rate: rate,
      later: -Int64(Double(late) * cycle.nanosecondsPerFrame),
      break: UInt32(truncatingIfNeeded: lostCount.load(ordering: .relaxed)))
    {
      clockWriter.write(clock)
    }
    if let unit, let ahead = output?.framesAhead(of: cycle) {
      unit.keep(AudioFormat.quantum - ahead)
    }
    var frame = 0
    while frame < cycle.frameCount {
      let count = min(Self.step, cycle.frameCount - frame)
      take(cycle, from: frame, count)
      frame += count
    }
    origin.set(cycle.frame - taken)
    taken += Int64(cycle.frameCount)
    news.wake()
  }

  /// The frames from a sound to its arrival.
  ///
  /// Sound that the client itself has played arrives a cycle later, through its own ports or those
  /// of other clients, in any order of processing. Both sides report the latency in between, so
  /// that of the output is subtracted: a recording made with an output then has the frames of that
  /// output at which it was audible.
  private func lateness(in cycle: JACKCycle) -> Int {
    let reported = latency.load(ordering: .relaxed)
    let echo = echo.load(ordering: .relaxed)
    guard echo >= 0 else { return reported }
    return reported - echo + (lastFrameCount == 0 ? cycle.frameCount : lastFrameCount)
  }

  private func take(_ cycle: JACKCycle, from start: Int, _ count: Int) {
    let channels = ports.count
    for channel in 0..<channels {
      let buffer = unsafe cjack_port_buffer(
        cycle.table, ports[channel].pointer, UInt32(truncatingIfNeeded: cycle.frameCount))
      let source = unsafe buffer?.assumingMemoryBound(to: Float.self)
      for frame in 0..<count {
        unsafe chunk[frame * channels + channel] = unsafe source?[start + frame] ?? 0
      }
    }
    let frames = unsafe chunk.span.extracting(0..<count * channels)
    if let unit { return unit.write(frames) }
    _ = samples.writer.push(contentsOf: frames)
  }

  // MARK: Latency

  /// The latency that the server reports for its sources; 0 if these are our own outputs.
  func sourceLatency(_ library: JACKLibrary) -> Int {
    guard echo.load(ordering: .relaxed) < 0 else { return 0 }
    return ports.map { library.latency(of: $0, JackCaptureLatency) }.max() ?? 0
  }

  override func lookAtLatency(_ mode: JackLatencyCallbackMode, _ library: JACKLibrary) {
    guard mode == JackCaptureLatency else {
      // Sound that is played leaves at the output; sound that is read is not passed on.
      output?.lookAtLatency(mode, library)
      let passage = passage
      told.withLock { $0 = (passage, echo.load(ordering: .relaxed) >= 0) }
      let frames = output.map { $0.latency.load(ordering: .relaxed) + passage } ?? 0
      for port in ports { library.setLatency(frames, of: port, mode) }
      return
    }
    latency.store(
      ports.map { library.latency(of: $0, mode) }.max() ?? 0, ordering: .relaxed)
  }

  override var hasOtherLatency: Bool {
    guard output != nil else { return false }
    return told.withLock { $0 != (passage, echo.load(ordering: .relaxed) >= 0) }
  }

  override func lookAtConnections(_ handle: JACKHandle, beside duties: [JACKDuty]) {
    let own = handle.ownSources(of: ports)
    let outputs = duties.compactMap { $0 as? OutputDuty }.filter { $0.has(own, handle) }
    echo.store(
      outputs.map { $0.latency.load(ordering: .relaxed) }.max() ?? -1, ordering: .relaxed)
  }

  override func note(isAway: Bool) {
    if isAway { lostCount.add(1, ordering: .relaxed) }
    self.isAway.store(isAway, ordering: .releasing)
    news.wake()
  }
}
