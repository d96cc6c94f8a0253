// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import MIDIMessages
import MusicalTime
import TestSupport
import Testing

/// Pause, stop, flush, gain, pan, speed and level.
@Suite struct SoundQueueTransportTests {
  private let queue = SoundQueue(rate: Rate.studio)
  private let listener: PlanListener
  private let told: ToldEvents

  init() throws {
    listener = try PlanListener(queue)
    told = ToldEvents(queue)
  }

  private func constant(_ value: Float, _ frames: Int) -> SoundBuffer {
    SoundBuffer(interleaved: [Float](repeating: value, count: 2 * frames))
  }

  private func tone(_ frames: Range<Int>, radians: Double = 0.1) -> SoundBuffer {
    SoundBuffer(
      interleaved: frames.flatMap { frame in
        [Float](repeating: 0.5 * sine(Double(frame) * radians), count: 2)
      })
  }

  /// The fade of 5 ms that begins with a quantum.
  private let fade = (1...240).map { 1 - Float($0) / 240 }

  @Test func `a pause fades out in 5 ms and keeps the place; the start fades in from there`() throws
  {
    let samples = (0..<2000).map { Float($0) / 4096 }
    try queue.enqueue(SoundBuffer(interleaved: samples.flatMap { [$0, $0] }))
    try queue.start()
    listener.render(quanta: 2)
    try queue.pause()
    let falling = listener.render(quanta: 4)[0]
    for frame in 0..<240 {
      #expect(abs(falling[frame] - samples[128 + frame] * fade[frame]) < 1e-6)
    }
    #expect(falling[240...].allSatisfy { $0 == 0 })
    #expect(listener.render(quanta: 10)[0].allSatisfy { $0 == 0 } && !queue.isRunning)
    #expect(queue.position.played.frames == 368 && queue.position.frame == 368)
    try queue.start()
    let rising = listener.render(quanta: 4)[0]
    for frame in 0..<240 {
      #expect(abs(rising[frame] - samples[368 + frame] * Float(frame + 1) / 240) < 1e-6)
    }
    #expect(listener.render(quanta: 1)[0] == Array(samples[624..<688]))
    queue.deliver()
    #expect(told.all.contains(.paused(frame: 368)))
    #expect(told.all.contains(.discontinuity(frame: 1024, silentFrames: 656)))
  }

  @Test func `a start during the fade-out fades in without a jump`() throws {
    try queue.enqueue(constant(0.5, 5000))
    try queue.start()
    listener.render(quanta: 1)
    try queue.pause()
    listener.render(quanta: 2)
    try queue.start()
    let heard = listener.render(quanta: 5)[0]
    let steps = zip(listener.channels[0], listener.channels[0].dropFirst()).map { abs($0 - $1) }
    #expect(steps.allSatisfy { $0 < 0.5 / 239 } && heard.suffix(64).allSatisfy { $0 == 0.5 })
    queue.deliver()
    #expect(told.all == [.began(number: 0, frame: 0, lateBy: 0)])
  }

  @Test func `a pause until a frame ends exactly there`() throws {
    try queue.enqueue(constant(0.5, 5000))
    try queue.start()
    listener.render(quanta: 1)
    try queue.pause()
    try queue.start(at: .frame(777))
    let heard = listener.render(quanta: 20)[0]
    #expect(heard[240..<777 - 64].allSatisfy { $0 == 0 })
    #expect(heard[777 - 64] == 0.5 / 240)
    #expect(queue.position.played.frames == 64 + 240 + Int64(21 * 64 - 777))
  }

  @Test func `a stop fades out, returns all buffers and counts from 0 again`() throws {
    try queue.enqueue(constant(0.5, 1000))
    try queue.enqueue(constant(0.25, 1000))
    try queue.start()
    listener.render(quanta: 2)
    try queue.stop()
    try queue.enqueue(constant(0.125, 64))
    let heard = listener.render(quanta: 8)[0]
    #expect(heard[0] > 0.49 && heard[240...].allSatisfy { $0 == 0 })
    queue.deliver()
    let frame = SampleTime(frames: 368)
    #expect(
      told.take().dropFirst() == [
        .done(SoundQueue.Done(number: 0, reason: .flushed, frame: frame)),
        .done(SoundQueue.Done(number: 1, reason: .flushed, frame: frame)),
        .stopped(frame: frame),
      ])
    #expect(queue.position.played == 0 && queue.waitingCount == 1)
    try queue.start()
    #expect(listener.render(quanta: 1)[0].allSatisfy { $0 == 0.125 })
    #expect(queue.position.played.frames == 64 && queue.position.discontinuities == 0)
  }

  @Test func `a drained queue plays everything and then stops`() throws {
    try queue.enqueue(constant(0.5, 100))
    try queue.start()
    try queue.stop(draining: true)
    #expect(listener.render(quanta: 3)[0].prefix(100).allSatisfy { $0 == 0.5 })
    queue.deliver()
    #expect(told.all.last == .stopped(frame: 100))
    #expect(!queue.isRunning && queue.dryCount == 0)
  }

  @Test func `a buffer enqueued after a flush follows at once`() throws {
    try queue.enqueue(constant(0.5, 1000))
    try queue.enqueue(constant(0.25, 1000))
    try queue.start()
    listener.render(quanta: 1)
    try queue.flush()
    try queue.enqueue(constant(0.75, 500))
    let heard = listener.render(quanta: 6)[0]
    #expect(heard[239] == 0 && heard[240...].allSatisfy { $0 == 0.75 })
    queue.deliver()
    #expect(told.all.suffix(1) == [.began(number: 2, frame: 304, lateBy: 0)])
    #expect(queue.position.discontinuities == 0)
  }

  @Test func `gain moves in a straight line in the given time`() throws {
    try queue.enqueue(constant(1, 2000))
    try queue.start()
    listener.render(quanta: 1)
    queue.set(.gain, to: 0.5, over: 0.01)
    let heard = listener.render(quanta: 8)[0]
    for frame in 0..<480 { #expect(abs(heard[frame] - (1 - 0.5 * Float(frame + 1) / 480)) < 1e-6) }
    #expect(heard[480...].allSatisfy { $0 == 0.5 } && queue[.gain] == 0.5)
    #expect(abs(queue.level(of: 0).maximum - 1) < 1e-6)
    #expect(abs(queue.level(of: 1).peak - 1) < 0.2)
  }

  @Test func `a buffer's settings take effect at its first frame and stay`() throws {
    try queue.enqueue(constant(0.5, 100))
    try queue.enqueue(
      constant(0.5, 100), changes: [.init(.gain, to: 2, over: 0), .init(.pan, to: 1, over: 0)])
    try queue.enqueue(constant(0.5, 100))
    try queue.enqueue(constant(0.5, 100), changes: [.init(.gain, to: 1, over: 10 / 48_000)])
    try queue.start()
    let heard = listener.render(quanta: 7)
    #expect(heard[0].prefix(100).allSatisfy { $0 == 0.5 })
    #expect(heard[0][100..<400].allSatisfy { $0 == 0 })
    #expect(heard[1][100..<300].allSatisfy { $0 == 1 })
    for frame in 0..<10 { #expect(abs(heard[1][300 + frame] - (1 - Float(frame + 1) / 20)) < 1e-6) }
    #expect(heard[1][310..<400].allSatisfy { $0 == 0.5 })
    #expect(queue[.gain] == 1 && queue[.pan] == 1)
  }

  @Test func `a track moves the gain at its frame`() throws {
    try queue.enqueue(constant(1, 1000))
    try queue.start()
    let change = ParameterChange(parameter: 0, value: 0.25, glide: 0)
    let events = [
      TimedEvent(time: ReferenceTime(nanoseconds: 2_000_000), payload: .parameter(change))
    ]
    let none: [UInt8] = []
    #expect(queue.parameters.send(events.span, payloads: none.span) == 1)
    let heard = listener.render(quanta: 4)[0]
    #expect(heard[95] == 1 && heard[96] == 0.25)
  }

  @Test(arguments: [0.5, 1.26, 1.27, 2, 4] as [Float])
  func `a tone at another speed is pure across the joins of buffers`(speed: Float) throws {
    var first = 0
    for length in [1000, 1, 2, 3, 500, 64, 30_000, 40_000] {
      try queue.enqueue(tone(first..<first + length))
      first += length
    }
    queue.set(.speed, to: speed, over: 0)
    try queue.start()
    let heard = Array(listener.render(quanta: 260)[0][64 * 3..<64 * 259])
    let hertz = 0.1 / (2 * Double.pi) * 48_000 * Double(speed)
    let spectrum = Spectrum(heard, hertz: 48_000)
    let rest = max(spectrum.rms(in: 0..<hertz - 40), spectrum.rms(in: hertz + 40..<24_000))
    #expect(decibels(spectrum.rms(in: hertz - 40..<hertz + 40) / 0.3536) > -0.1)
    #expect(decibels(rest / 0.3536) < -80, "\(decibels(rest / 0.3536)) dB")
    #expect(abs(queue.position.played.frames - Int64(Float(260 * 64) * speed)) <= 1)
  }

  @Test func `at twice the speed every other frame counts, and a buffer ends in half the time`()
    throws
  {
    try queue.enqueue(tone(0..<1001))
    try queue.enqueue(tone(1001..<2000))
    queue.set(.speed, to: 2, over: 0)
    try queue.start()
    listener.render(quanta: 20)
    queue.deliver()
    #expect(
      told.all == [
        .began(number: 0, frame: 0, lateBy: 0),
        .done(SoundQueue.Done(number: 0, reason: .played, frame: 501)),
        .began(number: 1, frame: 501, lateBy: 0),
        .done(SoundQueue.Done(number: 1, reason: .played, frame: 1000)),
        .ranDry(frame: 1000),
      ])
    #expect(queue.position.played.frames == 2000)
  }

  @Test func `a queue of many channels plays them all, and ignores the pan`() throws {
    let queue = SoundQueue(channelCount: 5, rate: Rate.studio)
    let listener = try PlanListener(queue)
    queue[.pan] = 1
    try queue.enqueue(
      SoundBuffer(interleaved: (0..<5 * 64).map { Float($0 % 5) }, channelCount: 5))
    try queue.start()
    let heard = listener.render(quanta: 1)
    for channel in 0..<5 { #expect(heard[channel].allSatisfy { $0 == Float(channel) }) }
  }
}
