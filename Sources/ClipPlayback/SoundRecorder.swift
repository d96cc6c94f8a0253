// SPDX-License-Identifier: Apache-2.0
public import AudioFiles
public import AudioProcessing
internal import Glibc
public import MusicalTime
internal import Realtime
internal import Synchronization

/// Writes what an input gives to a file: meters, a limit, and a thread that waits for the disk in
/// the input's stead.
///
/// - Note: `take` by one thread, the input's; the rest by another.
public final class SoundRecorder: @unchecked Sendable {
  // Unchecked: the writer is the disk thread's until that has been joined; the meters are the
  // input's, which publishes them through a snapshot.

  /// The samples in a frame.
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

  /// What the meters of the first two channels show.
  public struct Levels: Hashable, BitwiseCopyable, Sendable {
    /// The first channel.
    public var left = Level()
    /// The second channel, or the first where there is no other.
    public var right = Level()
  }

  /// The seconds of sound that the disk may be behind.
  private static let patience = 4

  /// Starts the thread that writes.
  ///
  /// - Parameters:
  ///   - writer: the file.
  ///   - rate: frames a second.
  ///   - frameLimit: the frames after which no more are taken.
  /// - Throws: `RealtimeError` where no thread can be had.
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

  /// Takes interleaved samples.
  ///
  /// - Returns: whether more are wanted: false at the limit, or where the file failed.
  /// - Note: Real-time safe.
  public func take(_ samples: Span<Float>) -> Bool {
    let frames = min(samples.count / channelCount, frameLimit - takenFrames)
    let part = samples.extracting(0..<frames * channelCount)
    takenFrames += frames
    if !ring.writer.push(contentsOf: part) { lost.add(frames, ordering: .relaxed) }
    measure(part)
    return takenFrames < frameLimit && !isEnding.load(ordering: .relaxed)
  }

  /// Frames that the disk was too slow for.
  public var lostFrameCount: Int { lost.load(ordering: .relaxed) }

  /// Frames that were written.
  public var frameCount: Int { written.load(ordering: .relaxed) }

  /// What the meters show; one thread may ask.
  public var level: Levels { levels.read() }

  /// Why the file failed; nil while it does not.
  public var failure: SoundFileError? { failed.withLock { $0 } }

  /// Takes what a source gives, and finishes the file: even where the source fails, unless it has
  /// given nothing.
  ///
  /// - Parameter next: the next interleaved samples, or none so far; nil at the end.
  /// - Throws: `SoundFileError`; else what `next` throws.
  public func record(_ next: () throws -> [Float]?) throws {
    do {
      while let samples = try next(), take(samples.span) {}
    } catch {
      if takenFrames > 0 { try finish() } else { end() }
      throw error
    }
    try finish()
  }

  /// Writes what is left and gives the file its name.
  ///
  /// - Throws: `SoundFileError`; nothing is left of the file then.
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

  /// Writes what waits; returns whether there will be more.
  private func drain() -> Bool {
    // Asked before the ring is emptied: what came before the end is written.
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
