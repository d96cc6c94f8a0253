// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import CJACK
internal import ClockService
internal import MusicalTime
internal import Realtime
internal import Synchronization

/// The ports of an output, into which a plan is rendered.
final class OutputDuty: JACKDuty, @unchecked Sendable {
  // Unchecked: as its superclass; values written by the server's thread are atomic.

  let position = Atomic<Int64>(0)
  let faultySampleCount = Atomic<Int>(0)
  let latency = Atomic<Int>(0)
  let isAway = Atomic<Bool>(false)
  /// True if it goes with a transport.
  let isLed = Atomic<Bool>(false)
  /// The number of frames that the server has taken.
  let taken = Atomic<Int64>(0)
  /// The client's frame count at frame 0 of the output.
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
  /// The plan; set before the client has the duty.
  private var plan: RenderPlan?
  /// The inputs that it plays.
  private let inputs = Mutex<[HeardInput]>([])
  private var ports: [JACKPort] = []
  /// The number of ports that the target had at first.
  private var targetCount: Int?
  private var line = LineHistory()
  /// True while cycles are processed, so that only the server's thread uses the following
  /// properties.
  private let isPlaying = Atomic<Bool>(false)
  /// The frame at which the plan's time is paused while a transport is about to start.
  private var standing: Int64?
  /// The distance from there to the frame at which time resumes: at least 10 ms in whole quanta, so
  /// that moves of the song in the meantime have separate instants.
  private let distance: Int64
  /// The expected frame count of the client in the next cycle.
  private var expected: Int64 = 0
  /// The frame after the last cycle, and the number of times that another one followed.
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
    // Events that wait for an output which never started are dropped.
    if origin.frame == FramedEvent.unknownOrigin { origin.set(FramedEvent.noOrigin) }
  }

  /// Sets the plan and its first frame, before the client has the duty.
  func render(_ plan: RenderPlan?, from frame: Int64, hurry: (@Sendable () -> Void)?) {
    self.plan = plan
    kernel = plan.map { PortsKernel($0, from: frame) }
    taken.store(frame, ordering: .relaxed)
    next = frame
    position.store(frame, ordering: .releasing)
    self.hurry = hurry
    hurries.store(hurry != nil, ordering: .releasing)
  }

  /// The latency of the plan in frames.
  var graphLatency: Int { plan?.latency ?? 0 }

  /// Adds an input that is played, for reports of latency.
  func play(_ input: InputDuty) { inputs.withLock { $0.append(HeardInput(duty: input)) } }

  /// True if any of its ports is among some full names.
  func has(_ names: Set<String>, _ handle: JACKHandle) -> Bool {
    ports.contains { names.contains(handle.name(of: $0)) }
  }

  /// The frames that were rendered for a cycle that is about to be played, on the server's thread;
  /// nil if the cycle does not follow the last.
  func framesAhead(of cycle: JACKCycle) -> Int? {
    guard isPlaying.load(ordering: .acquiring), cycle.frame == expected else { return nil }
    return kernel?.framesAhead
  }

  /// Notes the end of rendering, once the client does not have the duty any more.
  func end() { isPlaying.store(false, ordering: .releasing) }

  override func open(_ handle: JACKHandle) throws(JACKError) {
    ports = []
    for name in names {
      // Not marked as terminal, a port without inputs, because an input may be mixed in at any
      // time.
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
    // A single channel is played on both sides.
    guard channels != ChannelMap(channelCount: 1) else {
      for target in targets.prefix(2) { handle.connect(sources[0], to: target) }
      return counts(targets.count)
    }
    for (source, place) in zip(sources, channels.places) where place < targets.count {
      handle.connect(source, to: targets[place])
    }
    return counts(targets.count)
  }

  /// True if the target has the number of ports that it had at first.
  private func counts(_ count: Int) -> Bool {
    targetCount = targetCount ?? count
    return count >= targetCount ?? count
  }

  /// Follows the transport in a cycle that is about to be played, on the server's thread.
  ///
  /// While the transport is about to start, the plan's time is paused, so that events at the start
  /// can be sent before.
  ///
  /// - Parameters:
  ///   - waits: True to pause the time.
  ///   - cycle: The cycle.
  /// - Returns: The frame that is played with the transport's; nil before the first cycle.
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
    // While paused, a cycle ends with the quantum of the pause, however many there are.
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
      // Sound that is played depends only on inputs that are mixed in.
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
