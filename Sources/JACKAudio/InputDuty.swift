// SPDX-License-Identifier: Apache-2.0
internal import CJACK
internal import MusicalTime
internal import Realtime
internal import Synchronization

/// The ports of an input, and what comes by them, on its way to who reads it.
@safe
final class InputDuty: JACKDuty, @unchecked Sendable {
  // Unchecked: as its parent says; what other threads read is a ring, a snapshot or atomic.

  /// Turns that came while the ring had no room for them.
  let lostCount = Atomic<Int>(0)
  /// Samples, those of a frame side by side.
  let samples: RingBuffer<Float>
  /// Woken by what comes, and by the server's end.
  let news: DeadlineWait
  let clock = Snapshot<SampleClock?>(nil)
  private let clockWriter: SnapshotWriter<SampleClock?>
  private let names: [String]
  private let target: JACKTarget
  private let rate: SampleRate
  private let latency = Atomic<Int>(0)
  private let chunk: UnsafeMutableBufferPointer<Float>
  private var ports: [JACKPort] = []
  /// The ports that the target had at first.
  private var sourceCount: Int?
  private var line = LineHistory()
  private var taken: Int64 = 0

  /// Frames that are put into the ring at a time.
  private static let step = 64

  init(
    names: [String], target: JACKTarget, rate: SampleRate, capacity frames: Int
  ) throws(RealtimeError) {
    (self.names, self.target, self.rate) = (names, target, rate)
    samples = RingBuffer(minimumCapacity: frames * names.count)
    news = try DeadlineWait()
    clockWriter = clock.writer
    unsafe chunk = .allocate(capacity: Self.step * names.count)
    unsafe chunk.initialize(repeating: 0)
  }

  deinit { unsafe chunk.deallocate() }

  override var order: Order { .receiving }

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
    // All of a turn or nothing: where something is missing, the count begins anew.
    guard samples.writer.room >= cycle.frameCount * ports.count else {
      lostCount.add(1, ordering: .relaxed)
      return
    }
    let delay = Double(latency.load(ordering: .relaxed)) * cycle.nanosecondsPerFrame
    if let clock = line.clock(
      cycle, playing: taken, latency: 0, rate: rate, later: -Int64(delay),
      break: UInt32(truncatingIfNeeded: lostCount.load(ordering: .relaxed)))
    {
      clockWriter.write(clock)
    }
    var frame = 0
    while frame < cycle.frameCount {
      let count = min(Self.step, cycle.frameCount - frame)
      take(cycle, from: frame, count)
      frame += count
    }
    taken += Int64(cycle.frameCount)
    news.wake()
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
    _ = unsafe samples.writer.push(contentsOf: chunk.span.extracting(0..<count * channels))
  }

  override func lookAtLatency(_ mode: JackLatencyCallbackMode, _ library: JACKLibrary) {
    guard mode == JackCaptureLatency else {
      // What comes in is heard by nobody from here.
      for port in ports { library.setLatency(0, of: port, mode) }
      return
    }
    latency.store(ports.map { library.latency(of: $0, mode) }.max() ?? 0, ordering: .relaxed)
  }

  override func note(isAway: Bool) { news.wake() }
}
