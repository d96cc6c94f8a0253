// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import CJACK
internal import MusicalTime
internal import Realtime
internal import Synchronization

/// The ports of an input, and what comes by them, on its way to who reads it or into a plan.
@safe
final class InputDuty: JACKDuty, @unchecked Sendable {
  // Unchecked: as its parent says; what other threads read is a ring, a snapshot or atomic.

  /// Turns that came while the ring had no room for them, and servers that went away.
  let lostCount = Atomic<Int>(0)
  /// Whether the server is gone and none of its turns is to come any more, until the first of its return.
  let isAway = Atomic<Bool>(false)
  /// Samples, those of a frame side by side.
  let samples: RingBuffer<Float>
  /// Woken by what comes, and by the server's end.
  let news: DeadlineWait
  let clock = Snapshot<SampleClock?>(nil)
  /// Frames from a sound until it comes in, as of the last turn.
  let lateness = Atomic<Int>(0)
  /// Where its frame 0 lies in the client's count.
  let origin = FrameOrigin()
  /// What plays it in the very turn in which it comes; nil where it is read.
  let unit: InputUnit?
  private let clockWriter: SnapshotWriter<SampleClock?>
  private let names: [String]
  private let target: JACKTarget
  private let rate: SampleRate
  /// Whose plan plays it.
  private let output: OutputDuty?
  /// What the server reports.
  private let latency = Atomic<Int>(0)
  /// What the outputs report that are all it hears; below zero where it hears others.
  private let echo = Atomic<Int>(-1)
  /// What was told of its passage, and whether it was an echo then.
  private let told = Mutex<(passage: Int, isEcho: Bool)>((0, false))
  private let chunk: UnsafeMutableBufferPointer<Float>
  private var ports: [JACKPort] = []
  /// The ports that the target had at first.
  private var sourceCount: Int?
  private var line = LineHistory()
  private var taken: Int64 = 0
  /// The frames of the turn before; 0 before the first.
  private var lastFrameCount = 0

  /// Frames that are put into the ring at a time.
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

  /// Frames from its ports to those of the output that plays it.
  ///
  /// A turn may have any number of frames, and a quantum is rendered whole: it is a quantum late always.
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
    // All of a turn or nothing: where something is missing, the count begins anew.
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

  /// Frames from a sound until it comes in.
  ///
  /// What the client itself has played comes in a turn later: by its own ports, or by those of others,
  /// whoever of them and us has his turn first. Both sides report what lies between, so that the
  /// output's part is taken off: what is heard with an output lies in the frame in which it was heard.
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

  // MARK: How late it is

  /// What the server reports of what comes in; 0 where that is what goes out.
  func sourceLatency(_ library: JACKLibrary) -> Int {
    guard echo.load(ordering: .relaxed) < 0 else { return 0 }
    return ports.map { library.latency(of: $0, JackCaptureLatency) }.max() ?? 0
  }

  override func lookAtLatency(_ mode: JackLatencyCallbackMode, _ library: JACKLibrary) {
    guard mode == JackCaptureLatency else {
      // What comes in is heard where the output is; what is read is heard by nobody from here.
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
