// SPDX-License-Identifier: Apache-2.0
public import AudioFiles
public import AudioProcessing
internal import Glibc
public import MusicalTime
internal import Realtime
internal import Synchronization

/// Records the sound of an input to a file, with meters and a maximum length.
///
/// A separate thread writes the file.
///
/// - Note: Call `take` on the thread that receives the input, and everything else on one other
///   thread.
public final class SoundRecorder: @unchecked Sendable {
  // Unchecked: the writer belongs to the disk thread until that has been joined. The meters belong
  // to the input's thread, which publishes them through a snapshot.

  /// The number of channels.
  public let channelCount: Int
  private let writer: SoundFileWriter
  private let ring: RingBuffer<Float>
  private let levels: Snapshot<Levels>
  private var leftMeter: LevelMeter
  private var rightMeter: LevelMeter
  private var metered = 0
  private let planar = AudioBuffer(channelCount: 2)
  private let frameLimit: Int
  private var takenFrames = 0
  private let isEnding = Atomic<Bool>(false)
  private let lost = Atomic<Int>(0)
  private let written = Atomic<Int>(0)
  private let failed = Mutex<SoundFileError?>(nil)
  private var thread: RealtimeThread?

  /// The levels of the first two channels.
  public struct Levels: Hashable, BitwiseCopyable, Sendable {
    /// The level of the first channel.
    public var left = Level()
    /// The level of the second channel; for a mono recording, that of the first.
    public var right = Level()
  }

  /// The time in seconds by which the disk can be late.
  private static let patience = 4

  /// Starts the thread that writes.
  ///
  /// - Parameters:
  ///   - writer: The writer of the file.
  ///   - rate: The sample rate.
  ///   - frameLimit: The maximum number of frames; later frames are ignored.
  /// - Throws: `RealtimeError` if the thread cannot be created.
  public init(_ writer: SoundFileWriter, rate: SampleRate, frameLimit: Int = .max) throws {
    self.writer = writer
    self.frameLimit = frameLimit
    channelCount = writer.channelCount
    ring = RingBuffer(minimumCapacity: Int(rate.hertz) * channelCount * Self.patience)
    levels = Snapshot(Levels())
    leftMeter = LevelMeter(rate: rate)
    rightMeter = LevelMeter(rate: rate)
    thread = try RealtimeThread(name: "recorder", priority: nil) { [weak self] in
      while let self, self.drain() {}
    }
  }

  /// Adds interleaved samples.
  ///
  /// - Returns: True if more samples can be added; false if the limit is reached or writing has
  ///   failed.
  /// - Note: Real-time safe.
  public func take(_ samples: Span<Float>) -> Bool {
    let frames = min(samples.count / channelCount, frameLimit - takenFrames)
    let part = samples.extracting(0..<frames * channelCount)
    takenFrames += frames
    if !ring.writer.push(contentsOf: part) { lost.add(frames, ordering: .relaxed) }
    measure(part)
    return takenFrames < frameLimit && !isEnding.load(ordering: .relaxed)
  }

  /// The number of frames that were lost because the disk was too slow.
  public var lostFrameCount: Int { lost.load(ordering: .relaxed) }

  /// The number of frames that were written.
  public var frameCount: Int { written.load(ordering: .relaxed) }

  /// The current levels.
  ///
  /// Read it from one thread only.
  public var level: Levels { levels.read() }

  /// The error with which writing failed; nil if writing has not failed.
  public var failure: SoundFileError? { failed.withLock { $0 } }

  /// Writes all samples of a source, and finishes the file.
  ///
  /// If the source throws, the file is finished with the samples that were received, or removed if
  /// it does not have any.
  ///
  /// - Parameter next: Returns the next interleaved samples, an empty array if none are available
  ///   yet, and nil at the end.
  /// - Throws: `SoundFileError`, and the errors of `next`.
  public func record(_ next: () throws -> [Float]?) throws {
    do {
      while let samples = try next(), take(samples.span) {}
    } catch {
      if takenFrames > 0 { try finish() } else { end() }
      throw error
    }
    try finish()
  }

  /// Writes the remaining samples, and renames the file to its final name.
  ///
  /// - Throws: `SoundFileError`; the file is then removed.
  public func finish() throws(SoundFileError) {
    end()
    if let failure { throw failure }
    try writer.finish()
  }

  /// Ends the thread that writes.
  private func end() {
    isEnding.store(true, ordering: .releasing)
    thread?.join()
    thread = nil
  }

  /// Writes the waiting samples; returns true if there will be more.
  private func drain() -> Bool {
    // Checked before the ring is emptied, so that all samples before the end are written.
    let isOver = isEnding.load(ordering: .acquiring)
    var samples: [Float] = []
    samples.reserveCapacity(8192 * channelCount)
    while ring.reader.pop(atMost: 8192 * channelCount, { samples.append($0) }) > 0 {
      do {
        try writer.write(samples.span)
        written.add(samples.count / channelCount, ordering: .relaxed)
      } catch {
        failed.withLock { $0 = error }
        isEnding.store(true, ordering: .releasing)
        return false
      }
      samples.removeAll(keepingCapacity: true)
    }
    if !isOver { usleep(10_000) }
    return !isOver
  }

  private func measure(_ samples: Span<Float>) {
    let right = channelCount > 1 ? 1 : 0
    for start in stride(from: 0, to: samples.count, by: channelCount) {
      unsafe planar.bus.channel(0)[metered] = samples[start]
      unsafe planar.bus.channel(1)[metered] = samples[start + right]
      metered += 1
      guard metered == AudioFormat.quantum else { continue }
      metered = 0
      unsafe leftMeter.measure(planar.bus.channel(0))
      unsafe rightMeter.measure(planar.bus.channel(1))
      levels.write(Levels(left: leftMeter.level, right: rightMeter.level))
    }
  }
}
