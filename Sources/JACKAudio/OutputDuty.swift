// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import CJACK
internal import ClockService
internal import MusicalTime
internal import Realtime
internal import Synchronization

/// The ports of an output, and what is rendered into them.
final class OutputDuty: JACKDuty, @unchecked Sendable {
  // Unchecked: as its parent says; what the server's thread tells is atomic.

  let position = Atomic<Int64>(0)
  let faultySampleCount = Atomic<Int>(0)
  let latency = Atomic<Int>(0)
  let isAway = Atomic<Bool>(false)
  /// Whether it goes with a transport.
  let isLed = Atomic<Bool>(false)
  /// Frames that were taken by the server.
  let taken = Atomic<Int64>(0)
  /// Where its frame 0 lies in the client's count.
  let origin = FrameOrigin()
  let clock = Snapshot<SampleClock?>(nil)
  private let clockWriter: SnapshotWriter<SampleClock?>
  private let channels: ChannelMap
  private let names: [String]
  private let target: JACKTarget
  private let rate: SampleRate
  private let hurries = Atomic<Bool>(false)
  private var hurry: (@Sendable () -> Void)?
  private var kernel: PortsKernel?
  /// What is rendered; set before it is a client's.
  private var plan: RenderPlan?
  /// What hears for it.
  private let inputs = Mutex<[HeardInput]>([])
  private var ports: [JACKPort] = []
  /// The ports that the target had at first.
  private var targetCount: Int?
  private var line = LineHistory()
  /// Whether turns are its own, so that the server's thread alone has what follows.
  private let isPlaying = Atomic<Bool>(false)
  /// The frame at which the plan's time stands while a transport is about to start.
  private var standing: Int64?
  /// From there to the frame at which time goes on: at least 10 ms, whole quanta, so that what
  /// moves the song meanwhile has instants of its own.
  private let distance: Int64
  /// Where the client's count is to be next.
  private var expected: Int64 = 0
  /// The frame that follows the last turn, and how often another followed.
  private var (next, breaks): (Int64, UInt32) = (0, 0)

  init(_ channels: ChannelMap, labels: [String] = [], target: JACKTarget, rate: SampleRate) {
    self.channels = channels
    names = channels.places.enumerated().map { index, place in
      (index < labels.count ? labels[index] : "out") + "_\(place + 1)"
    }
    (self.target, self.rate) = (target, rate)
    clockWriter = clock.writer
    let quantum = Int64(AudioFormat.quantum)
    distance = (Int64(rate.hertz) / 100 + quantum - 1) / quantum * quantum
  }

  private struct HeardInput {
    weak var duty: InputDuty?
  }

  deinit {
    // What waits for an output that never began is to be given up.
    if origin.frame == FramedEvent.unknownOrigin { origin.set(FramedEvent.noOrigin) }
  }

  /// Gives it what to render, from a frame on; before it is a client's.
  func render(_ plan: RenderPlan?, from frame: Int64, hurry: (@Sendable () -> Void)?) {
    self.plan = plan
    kernel = plan.map { PortsKernel($0, from: frame) }
    taken.store(frame, ordering: .relaxed)
    next = frame
    position.store(frame, ordering: .releasing)
    self.hurry = hurry
    hurries.store(hurry != nil, ordering: .releasing)
  }

  /// Frames by which the sound of the plan is behind what it renders.
  var graphLatency: Int { plan?.latency ?? 0 }

  /// Says what of an input is played, which is reported.
  func play(_ input: InputDuty) { inputs.withLock { $0.append(HeardInput(duty: input)) } }

  /// Whether any of its ports is among some, by their full names.
  func has(_ names: Set<String>, _ handle: JACKHandle) -> Bool {
    ports.contains { names.contains(handle.name(of: $0)) }
  }

  /// Frames that were rendered for a turn that is about to be played, on the server's thread; nil where
  /// it does not follow on the last.
  func framesAhead(of cycle: JACKCycle) -> Int? {
    guard isPlaying.load(ordering: .acquiring), cycle.frame == expected else { return nil }
    return kernel?.framesAhead
  }

  /// Takes note that somebody else renders from now on; once it is no client's.
  func end() { isPlaying.store(false, ordering: .releasing) }

  override func open(_ handle: JACKHandle) throws(JACKError) {
    ports = []
    for name in names {
      // Not as an end, where nothing comes in: an input may be mixed in at any time.
      ports.append(try handle.port(name, JACKHandle.audio, JackPortIsOutput))
    }
  }

  override func close(_ handle: JACKHandle) {
    isPlaying.store(false, ordering: .relaxed)
    for port in ports { handle.remove(port) }
    ports = []
  }

  override func connect(_ handle: JACKHandle) throws(JACKError) -> Bool {
    let targets = try target.ports(of: handle, JackPortIsInput)
    let sources = ports.map { handle.name(of: $0) }
    // One channel is heard on both sides.
    guard channels != ChannelMap(channelCount: 1) else {
      for target in targets.prefix(2) { handle.connect(sources[0], to: target) }
      return counts(targets.count)
    }
    for (source, place) in zip(sources, channels.places) where place < targets.count {
      handle.connect(source, to: targets[place])
    }
    return counts(targets.count)
  }

  /// Whether the target has as many ports as it had at first.
  private func counts(_ count: Int) -> Bool {
    targetCount = targetCount ?? count
    return count >= targetCount ?? count
  }

  /// Goes with the transport in a turn that is about to be played, on the server's thread: while that
  /// is about to start, the plan's time stands, so that what is due as it starts can be sent before.
  ///
  /// - Parameters:
  ///   - waits: whether time is to stand.
  ///   - cycle: the turn.
  /// - Returns: the frame that is played with the transport's; nil before the first turn.
  func follow(waiting waits: Bool, _ cycle: JACKCycle) -> RollingFrames.OutputPlace? {
    guard isPlaying.load(ordering: .acquiring), cycle.frame == expected,
      let frame = kernel?.position
    else { return nil }
    if waits {
      let place = standing ?? frame
      standing = place
      return RollingFrames.OutputPlace(frame: place + distance, standing: place)
    }
    if let place = standing {
      standing = nil
      kernel?.goOn(at: place + distance)
      taken.store(place + distance, ordering: .relaxed)
    }
    return RollingFrames.OutputPlace(frame: taken.load(ordering: .relaxed))
  }

  override func process(_ cycle: JACKCycle) {
    if cycle.isFreewheeling, hurries.load(ordering: .relaxed) { hurry?() }
    // A turn that stands ends with the quantum at which it does, however many there are.
    let start =
      standing.map { $0 + Int64(AudioFormat.quantum - cycle.frameCount) }
      ?? taken.load(ordering: .relaxed)
    if start != next { breaks &+= 1 }
    origin.set(cycle.frame - start)
    let count = UInt32(truncatingIfNeeded: cycle.frameCount)
    for channel in 0..<ports.count {
      let samples = unsafe cjack_port_buffer(cycle.table, ports[channel].pointer, count)
      unsafe kernel?.setPort(channel, samples?.assumingMemoryBound(to: Float.self))
    }
    kernel?.fill(frameCount: cycle.frameCount, standing: standing != nil)
    let end = start + Int64(cycle.frameCount)
    if let clock = line.clock(
      cycle, playing: start, latency: latency.load(ordering: .relaxed), rate: rate, break: breaks)
    {
      clockWriter.write(clock)
    }
    faultySampleCount.store(kernel?.guardKernel.faultySampleCount ?? 0, ordering: .relaxed)
    (next, expected) = (end, cycle.frame + Int64(cycle.frameCount))
    taken.store(end, ordering: .relaxed)
    position.store(kernel?.position ?? end, ordering: .releasing)
    isPlaying.store(true, ordering: .releasing)
  }

  override func rest(_ cycle: JACKCycle) {
    let count = UInt32(truncatingIfNeeded: cycle.frameCount)
    for port in ports {
      let samples = unsafe cjack_port_buffer(cycle.table, port.pointer, count)
      unsafe samples?.assumingMemoryBound(to: Float.self).update(
        repeating: 0, count: cycle.frameCount)
    }
  }

  override func lookAtLatency(_ mode: JackLatencyCallbackMode, _ library: JACKLibrary) {
    guard mode == JackPlaybackLatency else {
      // What comes out was made in this very turn, but for what of an input is mixed in.
      let heard = inputs.withLock { $0.compactMap(\.duty) }
      let latest = heard.map { $0.sourceLatency(library) + $0.passage }.max() ?? 0
      for port in ports { library.setLatency(latest, of: port, mode) }
      return
    }
    latency.store(ports.map { library.latency(of: $0, mode) }.max() ?? 0, ordering: .relaxed)
  }

  override func note(isAway: Bool) {
    self.isAway.store(isAway, ordering: .releasing)
  }
}
