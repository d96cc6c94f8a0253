// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import CJACK
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
  /// Frames that were taken by the server.
  let taken = Atomic<Int64>(0)
  /// Where its frame 0 lies in the client's count.
  let origin = FrameOrigin()
  let clock = Snapshot<SampleClock?>(nil)
  private let clockWriter: SnapshotWriter<SampleClock?>
  private let names: [String]
  private let target: JACKTarget
  private let rate: SampleRate
  private let hurries = Atomic<Bool>(false)
  private var hurry: (@Sendable () -> Void)?
  private var kernel: PortsKernel?
  private var ports: [JACKPort] = []
  private var line = LineHistory()

  init(names: [String], target: JACKTarget, rate: SampleRate) {
    (self.names, self.target, self.rate) = (names, target, rate)
    clockWriter = clock.writer
  }

  deinit {
    // What waits for an output that never began is to be given up.
    if origin.frame == FramedEvent.unknownOrigin { origin.set(FramedEvent.noOrigin) }
  }

  /// Gives it what to render, from a frame on; before it is a client's.
  func render(_ plan: RenderPlan?, from frame: Int64, hurry: (@Sendable () -> Void)?) {
    kernel = plan.map { PortsKernel($0, from: frame) }
    taken.store(frame, ordering: .relaxed)
    position.store(frame, ordering: .releasing)
    self.hurry = hurry
    hurries.store(hurry != nil, ordering: .releasing)
  }

  override func open(_ handle: JACKHandle) throws(JACKError) {
    ports = []
    for name in names {
      ports.append(try handle.port(name, JACKHandle.audio, JackPortIsOutput, JackPortIsTerminal))
    }
  }

  override func close(_ handle: JACKHandle) {
    for port in ports { handle.remove(port) }
    ports = []
  }

  override func connect(_ handle: JACKHandle) throws(JACKError) {
    let targets = try target.ports(of: handle, JackPortIsInput)
    let sources = ports.map { handle.name(of: $0) }
    // One channel is heard on both sides.
    let pairs =
      sources.count == 1 ? targets.prefix(2).map { (sources[0], $0) } : Array(zip(sources, targets))
    for (source, destination) in pairs { handle.connect(source, to: destination) }
  }

  override func process(_ cycle: JACKCycle) {
    if cycle.isFreewheeling, hurries.load(ordering: .relaxed) { hurry?() }
    let start = taken.load(ordering: .relaxed)
    origin.set(cycle.frame - start)
    let count = UInt32(truncatingIfNeeded: cycle.frameCount)
    for channel in 0..<ports.count {
      let samples = unsafe cjack_port_buffer(cycle.table, ports[channel].pointer, count)
      unsafe kernel?.setPort(channel, samples?.assumingMemoryBound(to: Float.self))
    }
    kernel?.fill(frameCount: cycle.frameCount)
    let end = start + Int64(cycle.frameCount)
    if let clock = line.clock(
      cycle, playing: start, latency: latency.load(ordering: .relaxed), rate: rate)
    {
      clockWriter.write(clock)
    }
    faultySampleCount.store(kernel?.guardKernel.faultySampleCount ?? 0, ordering: .relaxed)
    taken.store(end, ordering: .relaxed)
    position.store(kernel?.position ?? end, ordering: .releasing)
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
      // What comes out was made in this very turn: nothing comes in.
      for port in ports { library.setLatency(0, of: port, mode) }
      return
    }
    latency.store(ports.map { library.latency(of: $0, mode) }.max() ?? 0, ordering: .relaxed)
  }

  override func note(isAway: Bool) {
    self.isAway.store(isAway, ordering: .releasing)
  }
}
