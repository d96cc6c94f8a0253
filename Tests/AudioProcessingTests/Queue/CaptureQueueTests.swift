// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import CAllocationCounter
import MusicalTime
import Synchronization
import TestSupport
import Testing

/// The sounds that a capture returns from a bus, and their times.
@Suite struct CaptureQueueTests {
  private let capture = CaptureQueue(bufferFrames: 100, bufferCount: 8, rate: Rate.studio)
  private let listener: PlanListener
  private let told = CapturedEvents()

  init() throws {
    listener = try PlanListener(capture: capture, of: SignalUnit(.count))
    told.listen(to: capture)
  }

  private func frame(_ number: Int64) -> SampleTime { SampleTime(frames: number) }

  @Test func `sounds have the requested length, and begin exactly at the start`() throws {
    try capture.start(at: .frame(333))
    listener.render(quanta: 10)
    capture.deliver()
    let sounds = told.sounds
    #expect(sounds.map(\.start) == [frame(333), frame(433), frame(533)])
    #expect(sounds.allSatisfy { $0.frameCount == 100 && $0.isTrue && $0.host == nil })
    #expect(capture.isRunning && told.others.isEmpty)
    listener.render(quanta: 1)
    capture.deliver()
    #expect(told.sounds.map(\.start).last == frame(533) && told.sounds.count == 3)
    listener.render(quanta: 1)
    capture.deliver()
    #expect(told.sounds.map(\.start).last == frame(633))
  }

  @Test func `a pause and a stop return the sound so far, with its frame`() throws {
    try capture.start()
    listener.render(quanta: 2)
    try capture.pause()
    listener.render(quanta: 3)
    try capture.start(at: .frame(400))
    listener.render(quanta: 3)
    try capture.stop()
    listener.render(quanta: 1)
    capture.deliver()
    #expect(told.sounds.map(\.start) == [frame(0), frame(100), frame(400), frame(500)])
    #expect(told.sounds.map(\.frameCount) == [100, 28, 100, 12])
    #expect(told.sounds.allSatisfy { $0.isTrue })
    #expect(told.others == [.paused(frame: frame(128)), .stopped(frame: frame(512))])
    #expect(!capture.isRunning)
  }

  @Test func `sound that is not fetched is dropped, and reported with its frame count`() throws {
    try capture.start()
    listener.render(quanta: 40)
    capture.deliver()
    let dropped = capture.droppedFrameCount
    #expect(dropped > 1000)
    listener.render(quanta: 2)
    try capture.stop()
    listener.render(quanta: 1)
    capture.deliver()
    #expect(told.others.first == .dropped(frame: frame(2560), frameCount: dropped))
    #expect(told.sounds.allSatisfy { $0.isTrue })
    #expect(told.sounds.reduce(0) { $0 + $1.frameCount } + dropped == 42 * 64)
    #expect(told.sounds.first { $0.start == frame(2560) }?.frameCount == 100)
  }

  @Test func `the input is metered even if it is not captured`() throws {
    let capture = CaptureQueue(rate: Rate.studio)
    let listener = try PlanListener(capture: capture, of: SignalUnit(.constant(0.25)))
    listener.render(quanta: 200)
    #expect(abs(capture.level(of: 1).maximum - 0.25) < 1e-6)
    #expect(!capture.isRunning)
  }

  @Test func `orders beyond the queue's room are refused in a sentence`() throws {
    #expect(throws: SoundQueueError.notRendered(queue: "capture")) {
      for _ in 0..<1000 { try capture.pause() }
    }
  }

  /// Commands, quanta and fetches in a random order.
  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `every frame of a run is returned once in its place, or reported as lost`(
    seed: UInt64
  ) throws {
    var random = SplitMix(seed: seed)
    var ran: Int64 = 0
    var begin: Int64?
    for _ in 0..<3000 {
      let now = listener.frame
      switch Int.random(in: 0...9, using: &random) {
      case 0:
        try capture.start()
        begin = begin ?? now
      case 1, 2:
        try Bool.random(using: &random) ? capture.pause() : capture.stop()
        ran += begin.map { now - $0 } ?? 0
        begin = nil
      case 3, 4: capture.deliver()
      default: break
      }
      // No more orders than can wait: one for each quantum.
      listener.render(quanta: Int.random(in: 1...4, using: &random))
    }
    try capture.stop()
    ran += begin.map { listener.frame - $0 } ?? 0
    // Orders whose events did not fit have waited.
    for _ in 0..<3 {
      capture.deliver()
      listener.render(quanta: 1)
    }
    capture.deliver()
    #expect(told.sounds.allSatisfy { $0.isTrue })
    let starts = told.sounds.map(\.start.frames)
    #expect(zip(starts, starts.dropFirst()).allSatisfy { $0 < $1 })
    let handed = told.sounds.reduce(0) { $0 + $1.frameCount }
    let lost = told.others.reduce(0) {
      guard case .dropped(_, let count) = $1 else { return $0 }
      return $0 + (count ?? 0)
    }
    #expect(handed > 100_000 && lost > 10_000)
    #expect(lost == capture.droppedFrameCount)
    #expect(Int64(handed + lost) == ran)
  }

  @Test(.enabled(if: callocationcounter_works(), "a sanitizer replaces the allocator"))
  func `capturing allocates and locks nothing`() throws {
    listener.plan.render(at: 0)
    var frame: Int64 = 64
    for round in 0..<100 {
      switch round % 4 {
      case 0: try capture.start(at: .frame(SampleTime(frames: frame + 77)))
      case 2: try capture.pause()
      case 3: try capture.stop()
      default: break
      }
      callocationcounter_begin()
      for _ in 0..<10 {
        listener.plan.render(at: SampleTime(frames: frame))
        frame += 64
      }
      let counts = callocationcounter_end()
      #expect(counts.allocations == 0 && counts.frees == 0 && counts.locks == 0, "round \(round)")
      capture.deliver()
    }
    #expect(told.sounds.count > 100)
  }

  @Test func `connected to a queue it taps the output of the queue`() throws {
    let queue = SoundQueue(rate: Rate.studio)
    let capture = CaptureQueue(bufferFrames: 64, rate: Rate.studio)
    let listener = try PlanListener(capture: capture, of: queue)
    let told = CapturedEvents()
    told.listen(to: capture)
    queue[.gain] = 0.5
    try capture.start()
    try queue.enqueue(SoundBuffer(interleaved: [Float](repeating: 0.5, count: 300)))
    try queue.start(at: .frame(1000))
    for _ in 0..<20 {
      listener.render(quanta: 1)
      capture.deliver()
    }
    let heard = told.sounds.flatMap(\.samples)
    #expect(heard.firstIndex(of: 0.25) == 2 * 1000)
    #expect(heard.count { $0 == 0.25 } == 300)
    let first = told.sounds.first { $0.samples.contains(0.25) }
    #expect(first?.start == frame(960))
  }

  @Test func `a stream returns sounds with the time at which they are audible, until the stop`()
    async throws
  {
    let capture = CaptureQueue(bufferFrames: 480, rate: Rate.studio)
    var graph = AudioGraph()
    let node = graph.add(SignalUnit(.count))
    try graph.connect(node, to: graph.add(capture))
    try graph.setHead(node)
    let output = NullOutputUnit(
      format: AudioFormat(rate: Rate.studio, channelCount: 2), periodFrames: 64)
    let sounds = capture.sounds
    try capture.follow(output)
    try capture.start(at: .frame(640))
    try output.start(try graph.compile())
    var heard: [CapturedSound] = []
    for await sound in sounds {
      heard.append(sound)
      if heard.count == 5 { try capture.stop() }
    }
    output.stop(draining: false)
    capture.stopFollowing()
    #expect(heard.count >= 5 && heard.allSatisfy { $0.isTrue })
    #expect(heard.prefix(5).map(\.start.frames) == (0..<5).map { 640 + 480 * $0 })
    let hosts = heard.compactMap(\.host?.nanoseconds)
    #expect(hosts.count == heard.count)
    #expect(zip(hosts, hosts.dropFirst()).allSatisfy { $0 < $1 })
  }
}
