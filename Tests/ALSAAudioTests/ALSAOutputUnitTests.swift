// SPDX-License-Identifier: Apache-2.0
import ALSAAudio
import AudioProcessing
import AudioTestSupport
import Glibc
import MusicalTime
import Realtime
import Synchronization
import TestSupport
import Testing

/// True if the kernel has a sound device.
private let hasSoundDevice = unsafe access("/dev/snd", F_OK) == 0

@Suite(.serialized) struct ALSAOutputUnitTests {
  private let rate: SampleRate

  init() throws {
    rate = try #require(SampleRate(hertz: 48_000))
  }

  private func plan(_ signal: SignalUnit.Signal = .constant(0.1)) throws -> RenderPlan {
    var graph = AudioGraph()
    try graph.setHead(graph.add(SignalUnit(signal)))
    return try graph.compile()
  }

  private func open(_ device: String, period: Int = 256, count: Int = 4) throws -> ALSAOutputUnit {
    var wishes = ALSAOutputUnit.Wishes()
    wishes.device = device
    wishes.periodFrames = period
    wishes.periodCount = count
    return try ALSAOutputUnit(rate: rate, wishes: wishes)
  }

  @Test func `a device that never plays is not waited for, and the reason is known`() async throws {
    let output = try open("file:/nowhere/at/all.raw,raw")
    try output.start(plan())
    await wait { output.failure != nil }
    #expect(!output.isAway)
    guard case .cannotOpen(_, "play", let code, _) = try #require(output.failure) else {
      Issue.record("\(String(describing: output.failure))")
      return
    }
    // The plugin has one error number for all errors, and a message with the reason.
    #expect(code < 0)
    let sentence = "\(try #require(output.failure))"
    #expect(
      sentence.hasSuffix("cannot play: /nowhere/at/: no such file or directory"), "\(sentence)")
    output.stop(draining: false)
  }

  /// Three pairs of channels, each with a different sound, in a file that ALSA writes.
  @Test func `a device of six channels gets the pairs in their order`() async throws {
    let scratch = try ScratchFolder()
    let path = scratch.path("six.raw")
    let merger = MergerUnit(channelCounts: [2, 2, 2])
    var graph = AudioGraph()
    let head = graph.add(merger)
    for pair in 0..<3 {
      let source = graph.add(SignalUnit(.constant(0.25 * Float(pair + 1))))
      try graph.connect(source, to: head, input: pair)
    }
    try graph.setHead(head)
    var wishes = ALSAOutputUnit.Wishes()
    wishes.device = "file:FILE=\(path),FORMAT=raw"
    wishes.channelCount = 6
    let output = try ALSAOutputUnit(rate: rate, wishes: wishes)
    #expect(output.format.channelCount == 6)
    try output.start(graph.compile())
    await wait { output.position.frames > 10_000 }
    output.stop(draining: true)
    #expect(output.failure == nil)
    let bytes = [UInt8](try FileContent.data(path))
    let frames = bytes.count / 24
    #expect(frames > 1000 && bytes.count % 24 == 0)
    let samples = unsafe bytes.withUnsafeBytes { bytes in
      (0..<frames * 6).map { unsafe bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
    }
    let pairs: [Float] = [0.25, 0.25, 0.5, 0.5, 0.75, 0.75]
    let first = frames / 2 * 6
    #expect(Array(samples[first..<first + 6]) == pairs)
  }

  @Test func `a pair is played on the channels of a map, and the others are silent`()
    async throws
  {
    let scratch = try ScratchFolder()
    let path = scratch.path("five.raw")
    // The left channel counts frames, the right one is its negative.
    var graph = AudioGraph()
    try graph.setHead(graph.add(SignalUnit(.count)))
    var wishes = ALSAOutputUnit.Wishes()
    wishes.device = "file:FILE=\(path),FORMAT=raw"
    wishes.channels = ChannelMap([4, 2])
    let output = try ALSAOutputUnit(rate: rate, wishes: wishes)
    #expect(output.format.channelCount == 2 && output.deviceChannelCount == 5)
    try output.start(graph.compile())
    await wait { output.position.frames > 10_000 }
    output.stop(draining: true)
    #expect(output.failure == nil)
    let bytes = [UInt8](try FileContent.data(path))
    let first = bytes.count / 20 / 2 * 20
    let samples = unsafe bytes.withUnsafeBytes { bytes in
      (0..<5).map { unsafe bytes.loadUnaligned(fromByteOffset: first + 4 * $0, as: Float.self) }
    }
    #expect(samples[4] > 0)
    #expect(samples == [0, 0, -samples[4], 0, samples[4]])
  }

  @Test func `a map names each channel once, of 64`() {
    #expect(ChannelMap([2, 2]) == nil && ChannelMap([64]) == nil && ChannelMap([-1]) == nil)
    #expect(ChannelMap([]) == nil)
    #expect(ChannelMap([7, 3])?.leastDeviceChannels == 8)
    #expect(ChannelMap([0, 1]) == ChannelMap(channelCount: 2))
  }

  @Test(arguments: [0, 65, -1])
  func `a device is asked for 1 to 64 channels`(count: Int) {
    var wishes = ALSAOutputUnit.Wishes()
    wishes.device = "null"
    wishes.channelCount = count
    #expect(throws: DeviceError.unsuitable("null", lack: "\(count) channels")) {
      try ALSAOutputUnit(rate: rate, wishes: wishes)
    }
  }

  /// Renders silence, half a second late for a number of times.
  private final class Sleeper: Sendable {
    let naps = Atomic<Int>(0)

    func plan() throws -> RenderPlan {
      let context = unsafe Unmanaged.passUnretained(self).toOpaque()
      let unit = unsafe FunctionUnit(name: "sleeper", outputs: [2], context: context) {
        context, _ in
        let sleeper = unsafe Unmanaged<Sleeper>.fromOpaque(context).takeUnretainedValue()
        guard sleeper.naps.load(ordering: .acquiring) > 0 else { return }
        usleep(500_000)
        sleeper.naps.subtract(1, ordering: .releasing)
      }
      var graph = AudioGraph()
      try graph.setHead(graph.add(unit))
      return try graph.compile()
    }
  }

  @Test func `a buffer grows at every second xrun, up to its limit`() async throws {
    var wishes = ALSAOutputUnit.Wishes()
    wishes.device = "null"
    (wishes.periodFrames, wishes.periodCount, wishes.mostPeriods) = (256, 3, 8)
    let output = try ALSAOutputUnit(rate: rate, wishes: wishes)
    #expect(output.bufferFrames == 768)
    let sleeper = Sleeper()
    try output.start(sleeper.plan())
    var sizes: [Int] = []
    for count in 1...6 {
      let before = output.xrunCount
      sleeper.naps.store(1, ordering: .releasing)
      #expect(await wait { output.xrunCount > before })
      // A busy machine may cause further ones.
      if output.xrunCount == count { sizes.append(output.bufferFrames) }
    }
    output.stop(draining: false)
    #expect(output.failure == nil && output.periodFrames == 256)
    #expect(output.bufferFrames == 2048)
    #expect(Array(sizes.prefix(1)).allSatisfy { $0 == 768 })
    withExtendedLifetime(sleeper) {}
  }

  @Test func `a buffer that may not grow stays the same`() async throws {
    let output = try open("null", count: 3)
    let sleeper = Sleeper()
    try output.start(sleeper.plan())
    for _ in 0..<2 {
      let before = output.xrunCount
      sleeper.naps.store(1, ordering: .releasing)
      #expect(await wait { output.xrunCount > before })
    }
    output.stop(draining: false)
    #expect(output.bufferFrames == 768)
    withExtendedLifetime(sleeper) {}
  }

  @Test func `the null device runs at the speed of the clock`() async throws {
    let output = try open("null")
    #expect(!output.hasWriter)
    #expect(output.latency == output.bufferFrames + output.periodFrames)
    #expect(output.position.frames == 0)
    let start = DeadlineWait.now
    try output.start(plan())
    for seen in [1, 5_000, 10_000] as [Int64] {
      #expect(await wait { output.position.frames >= seen })
      let frames = output.position.frames
      let expected = (DeadlineWait.now - start) * 48_000 / 1_000_000_000
      // A busy machine may be late, never early.
      #expect(frames <= expected + Int64(2 * output.periodFrames))
      #expect(frames % 64 == 0)
    }
    output.stop(draining: false)
    #expect(output.failure == nil)
    #expect(output.faultySampleCount == 0)
  }

  @Test func `the null device's frames follow the clock, and do not drift`() async throws {
    let output = try open("null")
    #expect(output.clock == nil)
    try output.start(plan())
    await wait { output.clock != nil }
    let first = try #require(output.clock)
    // The frame that leaves the buffer was rendered a latency ago, or up to a period more; if the
    // machine delays this thread between two reads, they are repeated.
    let behind = Int64(output.latency + 2 * output.periodFrames)
    let stands = try await wait {
      let clock = try #require(output.clock)
      let now = HostTime(nanoseconds: DeadlineWait.now)
      let leaving = clock.timeline.firstCount(atOrAfter: now)
      return (0...behind).contains(output.position.frames - leaving)
    }
    #expect(stands)
    await wait { output.position.frames > 10_000 }
    let clock = try #require(output.clock)
    if clock.epoch == first.epoch {
      let distance =
        first.timeline.timeRoundedUp(atCount: 480_000).nanoseconds
        - clock.timeline.timeRoundedUp(atCount: 480_000).nanoseconds
      #expect(abs(distance) < 1_000)
    }
    #expect(clock.delay == 0)
    output.stop(draining: false)
  }

  /// ALSA's file plugin writes to a pipe, which is read when the test decides.
  @Test func `if a plugin blocks, a separate thread waits, and nothing is lost`() throws {
    let folder = try ScratchFolder()
    let path = folder.path("pipe")
    #expect(unsafe mkfifo(path, 0o600) == 0)
    // It stays open: otherwise a late write of the plugin would end the process.
    let pipe = unsafe Glibc.open(path, O_RDWR | O_NONBLOCK)
    let output = try open("file:FILE=\(path),FORMAT=raw")
    #expect(output.hasWriter)
    try output.start(plan(.count))
    var bytes: [UInt8] = []
    // The file begins with the silence of the buffer and of the queue.
    let silence = output.bufferFrames
    while bytes.count < 8 * (silence + 20_000) {
      var chunk = [UInt8](repeating: 0, count: 1500)
      let count = unsafe read(pipe, &chunk, chunk.count)
      if count > 0 { bytes += chunk.prefix(count) } else { usleep(100) }
      // The rendered frames are those taken, 64 KiB in the pipe, and a few periods in between.
      let taken = Int64(bytes.count / 8 - silence)
      #expect(output.position.frames <= taken + 8192 + Int64(2 * output.bufferFrames))
    }
    // The pipe is not read: it would never end if it were waited for.
    output.stop(draining: false)
    // When the pipe is read again, the plugin returns and its thread ends.
    for _ in 0..<200 {
      var rest = [UInt8](repeating: 0, count: 4096)
      if unsafe read(pipe, &rest, rest.count) < 0 { usleep(1_000) }
    }
    let samples = unsafe bytes.withUnsafeBytes { unsafe Array($0.bindMemory(to: Float.self)) }
    #expect(samples[..<(2 * silence)].allSatisfy { $0 == 0 })
    for frame in 0..<20_000 {
      let sample = samples[2 * (silence + frame)]
      guard sample == Float(frame) / 1_000_000 else {
        Issue.record("frame \(frame) is \(sample)")
        return
      }
    }
  }

  /// The time is only checked if the machine is otherwise idle.
  @Test(arguments: [false, true])
  func `stopping takes less than 200 ms and ends rendering`(draining: Bool) throws {
    let output = try open("null")
    try output.start(plan())
    #expect(output.scheduling != nil)
    usleep(20_000)
    let start = DeadlineWait.now
    output.stop(draining: draining)
    #expect(DeadlineWait.now - start < 200_000_000 || !LongTests.areWanted)
    let position = output.position
    usleep(20_000)
    #expect(output.position == position)
    output.stop(draining: draining)
  }

  @Test func `limited samples and NaN are counted`() async throws {
    let output = try open("null")
    try output.start(plan(.alternating(.nan, 2)))
    await wait { output.position.frames > 0 }
    output.stop(draining: false)
    #expect(output.clampedSampleCount > 0)
    #expect(output.faultySampleCount == output.clampedSampleCount)
  }

  @Test func `an output that is released stops`() throws {
    for _ in 0..<5 {
      let output = try open("null")
      try output.start(plan())
    }
  }

  @Test func `the error for an unknown device lists the devices`() throws {
    let error = #expect(throws: DeviceError.self) { try open("nonsense") }
    guard case .noSuchDevice("nonsense", let candidates) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(candidates.contains("null"))
    #expect(error?.description.hasPrefix("nonsense: no such sound device (available: ") == true)
  }

  @Test(.disabled(if: hasSoundDevice, "this machine has a sound device"))
  func `a machine without a sound device is reported`() {
    for name in ["default", "hw:0", "plughw:1,0"] {
      #expect(throws: DeviceError.noSoundDevice) { try open(name) }
    }
    #expect(
      DeviceError.noSoundDevice.description
        == "no sound device on this machine (render to a file, or use --audio null)")
  }
}
