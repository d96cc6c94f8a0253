// SPDX-License-Identifier: Apache-2.0
import ALSAAudio
import AudioProcessing
import Glibc
import MusicalTime
import Realtime
import Testing

/// Whether the kernel shows any sound device.
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

  @Test func `the null device goes at the pace of the clock`() throws {
    let output = try open("null")
    #expect(output.latency == output.bufferFrames + output.periodFrames)
    #expect(output.position.frames == 0)
    let start = DeadlineWait.now
    try output.start(plan())
    usleep(300_000)
    let frames = output.position.frames
    let expected = (DeadlineWait.now - start) * 48_000 / 1_000_000_000
    // A loaded machine may be late, never early.
    #expect(frames <= expected + Int64(2 * output.periodFrames))
    #expect(frames >= expected / 2)
    #expect(frames % 64 == 0)
    output.stop(draining: false)
    #expect(output.failure == nil)
    #expect(output.faultySampleCount == 0)
  }

  @Test(arguments: [false, true])
  func `stopping takes less than 200 ms and ends the rendering`(draining: Bool) throws {
    let output = try open("null")
    try output.start(plan())
    #expect(output.scheduling != nil)
    usleep(20_000)
    let start = DeadlineWait.now
    output.stop(draining: draining)
    #expect(DeadlineWait.now - start < 200_000_000)
    let position = output.position
    usleep(20_000)
    #expect(output.position == position)
    output.stop(draining: draining)
  }

  @Test func `what is clamped and what is no number is counted`() throws {
    let output = try open("null")
    try output.start(plan(.alternating(.nan, 2)))
    usleep(50_000)
    output.stop(draining: false)
    #expect(output.clampedSampleCount > 0)
    #expect(output.faultySampleCount == output.clampedSampleCount)
  }

  @Test func `an output that is dropped stops by itself`() throws {
    for _ in 0..<5 {
      let output = try open("null")
      try output.start(plan())
    }
  }

  @Test func `a device nobody knows is named with those there are`() throws {
    let error = #expect(throws: DeviceError.self) { try open("nonsense") }
    guard case .noSuchDevice("nonsense", let candidates) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(candidates.contains("null"))
    #expect(error?.description.hasPrefix("nonsense: no such sound device (there are: ") == true)
  }

  @Test(.disabled(if: hasSoundDevice, "this machine has a sound device"))
  func `a machine without a sound device says so`() {
    for name in ["default", "hw:0", "plughw:1,0"] {
      #expect(throws: DeviceError.noSoundDevice) { try open(name) }
    }
    #expect(
      DeviceError.noSoundDevice.description
        == "no sound device on this machine (render to a file instead)")
  }
}
