// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioProcessing
import AudioTestSupport
import ClipPlayback
import MusicalTime
import Synchronization
import TestSupport
import Testing

/// A capture that reads an input on its thread.
@Suite struct CaptureReadingTests {
  private struct Gone: Error {}

  /// An input with pieces of odd lengths and losses, that disappears at the end.
  private final class Pieces: SoundInput {
    let rate = Rate.studio
    let channelCount = 2
    let periodFrames = 50
    private(set) var xrunCount = 0
    /// Lost frames are not counted: one second each time.
    var clock: SampleClock? {
      SampleClock(
        timeline: Timeline(
          countOrigin: 0, scaledOrigin: 1_000_000_000 + Int128(xrunCount) * 48_000_000_000_000,
          numerator: 1_000_000_000, denominator: 48_000),
        delay: 7, drift: 0, jitter: 0, epoch: UInt32(xrunCount))
    }
    /// The number of frames of each piece; negative for a loss.
    private var lengths: [Int]
    private var next = 0

    init(_ lengths: [Int]) { self.lengths = lengths }

    func read() throws -> [Float] {
      guard !lengths.isEmpty else { throw Gone() }
      let length = lengths.removeFirst()
      guard length >= 0 else {
        xrunCount += 1
        return []
      }
      defer { next += length }
      return (next..<next + length).flatMap { frame in
        let value = SignalUnit.value(.count, Int64(frame))
        return [value, -value]
      }
    }
  }

  private func read(
    _ lengths: [Int], bufferFrames: Int
  ) async throws -> (CapturedEvents, CaptureQueue) {
    let capture = CaptureQueue(bufferFrames: bufferFrames, rate: Rate.studio)
    let told = CapturedEvents()
    told.listen(to: capture)
    try capture.start()
    let sounds = capture.sounds
    try capture.read(Pieces(lengths))
    for await _ in sounds {}
    capture.stopFollowing()
    return (told, capture)
  }

  @Test func `an input's frames are delivered in order with their times, to the last one`()
    async throws
  {
    let (told, capture) = try await read([1, 63, 64, 65, 0, 200, 7], bufferFrames: 150)
    #expect(told.sounds.map(\.start.frames) == [0, 150, 300])
    #expect(told.sounds.map(\.frameCount) == [150, 150, 100])
    #expect(told.sounds.allSatisfy { $0.isTrue })
    // 1 s / 48,000 after the origin, rounded up, plus the delay.
    let origin: Int64 = 1_000_000_000 / 48_000 + 1
    #expect(told.sounds[0].host?.nanoseconds == origin + 7)
    #expect(told.sounds[1].host.map { $0.nanoseconds - origin - 7 } == 3_125_000)
    #expect(told.others == [.stopped(frame: 400)])
    #expect(capture.failure is Gone && !capture.isRunning)
  }

  @Test func `a device's losses are reported at their position, and divide the sound`()
    async throws
  {
    let (told, capture) = try await read([100, -1, 100, -1, -1, 50], bufferFrames: 80)
    #expect(told.sounds.map(\.start.frames) == [0, 80, 100, 180, 200])
    #expect(told.sounds.map(\.frameCount) == [80, 20, 80, 20, 50])
    #expect(
      told.others == [
        .dropped(frame: 100, frameCount: nil), .dropped(frame: 200, frameCount: nil),
        .stopped(frame: 250),
      ])
    #expect(capture.gapCount == 3 && capture.droppedFrameCount == 0)
  }

  @Test func `frames before a loss keep their time`() async throws {
    let (told, _) = try await read([100, -1, 100], bufferFrames: 150)
    #expect(told.sounds.map(\.start.frames) == [0, 100])
    let hosts = told.sounds.compactMap { $0.host?.nanoseconds }
    #expect(hosts.count == 2 && hosts[0] < 1_000_000)
    #expect(hosts.last.map { (1_002_000_000...1_003_000_000).contains($0) } == true, "\(hosts)")
  }

  @Test func `a recording of a capture has every sample`() async throws {
    let folder = try ScratchFolder()
    let path = folder.path("a.wav")
    let writer = try SoundFileWriter(
      path: path, format: SoundFileFormat(.wav, .float32), channelCount: 2, rate: Rate.studio)
    let recorder = try SoundRecorder(writer, rate: Rate.studio)
    let capture = CaptureQueue(bufferFrames: 256, rate: Rate.studio)
    let sounds = capture.sounds
    try capture.start()
    try capture.read(Pieces(Array(repeating: 100, count: 30)))
    for await sound in sounds { _ = recorder.take(sound.samples.span) }
    try recorder.finish()
    let back = try SoundFileReader(path: path).read(frameCount: 4000)
    #expect(CapturedSound(channelCount: 2, start: 0, samples: back).isTrue)
    #expect(back.count == 2 * 3000)
  }
}
