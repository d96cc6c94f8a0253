// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import MusicalTime
import Synchronization
import TestSupport
import Testing

/// Enqueued buffers, their start times and their events.
@Suite struct SoundQueueTests {
  private let queue = SoundQueue(rate: Rate.studio)
  private let listener: PlanListener
  private let told: ToldEvents

  init() throws {
    listener = try PlanListener(queue)
    told = ToldEvents(queue)
  }

  /// Frames that count up: left is the number times a millionth, right its negative.
  private func count(_ frames: Range<Int>) -> SoundBuffer {
    SoundBuffer(
      interleaved: frames.flatMap { [Float($0) / 1_000_000, -Float($0) / 1_000_000] })
  }

  private func left(_ frames: Range<Int>) -> [Float] { frames.map { Float($0) / 1_000_000 } }

  private func zeros(_ count: Int) -> [Float] { [Float](repeating: 0, count: count) }

  private func frame(_ number: Int64) -> SampleTime { SampleTime(frames: number) }

  @Test func `buffers follow one another without a gap, bit for bit`() throws {
    #expect(try queue.enqueue(count(1..<101)) == 0)
    #expect(try queue.enqueue(count(101..<102)) == 1)
    #expect(try queue.enqueue(count(102..<601)) == 2)
    #expect(queue.prime() == 600)
    try queue.start()
    let heard = listener.render(quanta: 10)
    #expect(heard[0] == left(1..<601) + zeros(40))
    #expect(heard[1] == heard[0].map { -$0 })
    #expect(queue.waitingCount == 0 && queue.prime() == 0)
  }

  @Test func `the rest of the playing buffer counts as waiting, also after a trim`() throws {
    try queue.enqueue(count(1..<301), trimStart: 100)
    try queue.enqueue(count(301..<401))
    try queue.start()
    let quantum = AudioFormat.quantum
    for played in 0..<4 {
      #expect(queue.prime() == 300 - played * quantum)
      _ = listener.render(quanta: 1)
    }
    #expect(queue.waitingCount == 1)
  }

  @Test func `a buffer enqueued just before the last frame has played follows without a gap`()
    throws
  {
    try queue.enqueue(count(1..<65))
    try queue.start()
    listener.render(quanta: 1)
    try queue.enqueue(count(65..<129))
    listener.render(quanta: 1)
    #expect(listener.channels[0] == left(1..<129))
    queue.deliver()
    #expect(queue.position.discontinuities == 0 && queue.dryCount == 0)
  }

  @Test func `nothing sounds before the start, and the start is exact to the frame`() throws {
    try queue.enqueue(count(1..<201))
    #expect(listener.render(quanta: 2)[0] == zeros(128))
    try queue.start(at: .frame(333))
    let heard = listener.render(quanta: 8)[0]
    #expect(heard == zeros(333 - 128) + left(1..<201) + zeros(512 - 205 - 200))
    queue.deliver()
    #expect(
      told.take() == [
        .began(number: 0, frame: 333, lateBy: 0),
        .done(SoundQueue.Done(number: 0, reason: .played, frame: 533)), .ranDry(frame: 533),
      ])
  }

  @Test func `a buffer begins at its frame, and a late one as soon as possible`() throws {
    try queue.start()
    try queue.enqueue(count(1..<51), at: .frame(77))
    try queue.enqueue(count(51..<101), at: .frame(190))
    try queue.enqueue(count(101..<151), at: .frame(200))
    let heard = listener.render(quanta: 6)[0]
    #expect(
      heard == zeros(77) + left(1..<51) + zeros(190 - 127) + left(51..<151) + zeros(384 - 290))
    queue.deliver()
    #expect(queue.lateCount == 1 && queue.dryCount == 1)
    #expect(told.all.contains(.began(number: 2, frame: 240, lateBy: 40)))
    #expect(told.all.contains(.discontinuity(frame: 190, silentFrames: 63)))
  }

  @Test func `a start by reference time and by host time is at its frame`() throws {
    let base = TimeBase(origin: HostTime(nanoseconds: 5_000_000), delay: 2_000_000)
    try queue.enqueue(count(1..<2), at: .reference(ReferenceTime(nanoseconds: 1_000_000)))
    try queue.enqueue(count(2..<3), at: .host(HostTime(nanoseconds: 9_000_000), base))
    try queue.start()
    let heard = listener.render(quanta: 2)[0]
    #expect(heard[48] == Float(1) / 1_000_000 && heard[96] == Float(2) / 1_000_000)
    #expect(heard.count { $0 != 0 } == 2)
  }

  @Test func `trims remove frames at both ends`() throws {
    try queue.enqueue(count(0..<100), trimStart: 10, trimEnd: 20)
    try queue.enqueue(count(80..<100), trimStart: 0, trimEnd: 19)
    try queue.start()
    #expect(listener.render(quanta: 2)[0] == left(10..<81) + zeros(128 - 71))
  }

  @Test func `an empty queue is reported, and continues`() throws {
    try queue.enqueue(count(1..<33))
    try queue.start()
    listener.render(quanta: 3)
    queue.deliver()
    #expect(told.take().last == .ranDry(frame: 32))
    #expect(queue.isRunning && queue.dryCount == 1)
    try queue.enqueue(count(33..<65))
    #expect(listener.render(quanta: 1)[0] == left(33..<65) + zeros(32))
    queue.deliver()
    #expect(told.take().first == .discontinuity(frame: 192, silentFrames: 160))
    #expect(queue.position.played == frame(64) && queue.position.output == frame(256))
    #expect(queue.position.discontinuities == 1)
  }

  @Test func `a buffer is returned after playing, and can be filled again`() throws {
    let buffer = SoundBuffer(channelCount: 2, capacity: 100)
    #expect(buffer.frameCount == 100)
    buffer.frameCount = 64
    buffer.withSamples(of: 0) { span in
      for index in span.indices { span[index] = 0.25 }
    }
    let done = Mutex<[SoundQueue.Done]>([])
    try queue.enqueue(buffer) { end in done.withLock { $0.append(end) } }
    try queue.enqueue(buffer, trimStart: 32)
    try queue.start()
    #expect(buffer.isEnqueued)
    let heard = listener.render(quanta: 2)
    #expect(heard[0] == [Float](repeating: 0.25, count: 96) + zeros(32))
    #expect(heard[1] == zeros(128))
    #expect(done.withLock(\.count) == 0)
    queue.deliver()
    #expect(
      done.withLock { $0 } == [SoundQueue.Done(number: 0, reason: .played, frame: frame(64))])
    #expect(!buffer.isEnqueued)
    buffer.fill(interleaved: [1, 2, 3, 4].span)
    #expect(buffer.frameCount == 2)
  }

  @Test func `events are delivered when their frame is audible`() throws {
    try queue.enqueue(count(1..<65))
    try queue.enqueue(count(65..<129))
    try queue.start()
    listener.render(quanta: 3)
    queue.deliver(through: frame(64))
    #expect(told.take().map(\.frame) == [frame(0), frame(64), frame(64)])
    queue.deliver(through: frame(127))
    #expect(told.take().isEmpty)
    queue.deliver(through: frame(128))
    #expect(told.take().count == 2)
  }

  @Test func `events are also available as a stream, which ends with the queue`() async throws {
    var queue: SoundQueue? = SoundQueue(channelCount: 1, rate: Rate.studio)
    let stream = try #require(queue?.events)
    try queue?.enqueue(SoundBuffer(interleaved: [1, 2, 3], channelCount: 1))
    try queue?.renderOffline { _ in }
    queue = nil
    var events: [SoundQueue.Event] = []
    for await event in stream { events.append(event) }
    #expect(
      events == [
        .began(number: 0, frame: 0, lateBy: 0),
        .done(SoundQueue.Done(number: 0, reason: .played, frame: 3)), .ranDry(frame: 3),
      ])
  }

  @Test func `a buffer that does not fit is refused with the reason`() throws {
    #expect(
      throws: SoundQueueError.channelMismatch(queue: "queue", channelCount: 1, expected: 2)
    ) {
      try queue.enqueue(SoundBuffer(interleaved: [1], channelCount: 1))
    }
    #expect(
      throws: SoundQueueError.nothingLeft(
        queue: "queue", frameCount: 10, trimStart: 4, trimEnd: 6)
    ) { try queue.enqueue(count(0..<10), trimStart: 4, trimEnd: 6) }
    let one = count(1..<2)
    for _ in 0..<SoundQueue.bufferLimit { try queue.enqueue(one) }
    let full = SoundQueueError.full(queue: "queue", limit: 1024)
    #expect(throws: full) { try queue.enqueue(one) }
    #expect(
      "\(full)" == "queue: full, 1024 buffers are waiting (enqueue more when some of them are done)"
    )
    try queue.start()
    listener.render(quanta: 1)
    for _ in 0..<64 { try queue.enqueue(one) }
    #expect(throws: full) { try queue.enqueue(one) }
    #expect(throws: SoundQueueError.notRendered(queue: "queue")) {
      for _ in 0..<5000 { try queue.pause() }
    }
    listener.render(quanta: 100)
    #expect(queue.waitingCount > 0)
    try queue.start()
    listener.render(quanta: 40)
    #expect(queue.waitingCount == 0)
  }

  @Test func `events that are not fetched are dropped and counted, but no buffer is lost`() throws {
    for _ in 0..<4000 {
      try queue.start()
      try queue.pause()
      listener.render(quanta: 1)
    }
    #expect(queue.lostEventCount > 0)
    let done = Mutex(0)
    for _ in 0..<1000 {
      try queue.enqueue(count(1..<2)) { _ in done.withLock { $0 += 1 } }
    }
    try queue.start()
    listener.render(quanta: 16)
    queue.deliver()
    #expect(done.withLock { $0 } == 1000 && queue.waitingCount == 0)
  }

  @Test func `an offline rendering lasts until the queue is empty, and can be fed meanwhile`()
    throws
  {
    let queue = SoundQueue(channelCount: 1, rate: Rate.studio)
    let samples = (1...5000).map { Float($0) }
    try queue.enqueue(SoundBuffer(interleaved: samples, channelCount: 1)) { _ in
      let last = SoundBuffer(interleaved: [Float](repeating: 1, count: 200), channelCount: 1)
      #expect(throws: Never.self) { try queue.enqueue(last) }
    }
    try queue.enqueue(SoundBuffer(interleaved: samples, channelCount: 1))
    var heard: [Float] = []
    let end = try queue.renderOffline { span in
      for index in span.indices { heard.append(span[index]) }
    }
    let isRight = heard == samples + samples + [Float](repeating: 1, count: 200)
    #expect(isRight)
    #expect(end == frame(10_200))
  }

  @Test func `an offline rendering stops at its limit`() throws {
    try queue.enqueue(count(0..<1000))
    var frames = 0
    let end = try queue.renderOffline(upTo: frame(100)) { frames += $0.count / 2 }
    #expect(frames == 100 && end == frame(100))
  }

  @Test func `a queue feeds a mixer together with a generator, and a tap`() throws {
    let mixer = MixerUnit(stripCount: 2, rate: Rate.studio)
    let tap = RecordingTap(capacity: 1024)
    let queue = SoundQueue(rate: Rate.studio)
    var graph = AudioGraph()
    let head = graph.add(mixer)
    let node = graph.add(queue)
    try graph.connect(graph.add(SignalUnit(.constant(0.25))), to: head, input: 0)
    try graph.connect(node, to: head, input: 1)
    try graph.connect(node, to: graph.add(tap))
    try graph.setHead(head)
    let listener = PlanListener(try graph.compile())
    try queue.enqueue(SoundBuffer(interleaved: [Float](repeating: 0.5, count: 128)))
    try queue.start()
    #expect(
      listener.render(quanta: 2)[0]
        == [Float](repeating: 0.75, count: 64) + [Float](repeating: 0.25, count: 64))
    var fetched: [Float] = []
    #expect(tap.fetch { fetched.append($0) } == 128)
    #expect(fetched == [Float](repeating: 0.5, count: 128) + zeros(128))
  }
}
