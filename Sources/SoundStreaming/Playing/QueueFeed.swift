// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import MusicalTime

/// Adds samples to a queue, as far in advance as requested.
///
/// - Note: Use from one task.
final class QueueFeed {
  /// A buffer that is not in the queue yet, and the events to report when it starts.
  private struct Held {
    let buffer: SoundBuffer
    /// The frame of the item with which it starts.
    let frame: Int64
    let events: [StreamPlayer.Event]
  }

  /// Thrown at the end of the part that is played.
  struct PartEnd: Error {}

  /// The number of frames in a buffer.
  private static let bufferFrames = 2048

  /// The sample rate of the queue.
  let rate: SampleRate
  private let queue: SoundQueue
  private let notes: StreamNotes
  private let clock: @Sendable () -> Duration
  private let aheadSeconds: Double
  private let run: Int
  private var reserve: StreamReserve
  private var hasStarted = false
  /// The number of gaps of the queue that the reserve knows.
  private var dryCount: Int
  /// The frame of the item with which the next buffer starts.
  private var frame: Int64 = 0
  /// The frame of the item at which it ends.
  private var endFrame = Int64.max
  /// Interleaved stereo samples that do not fill a buffer yet.
  private var samples: [Float] = []
  private var events: [StreamPlayer.Event] = []
  private var held: [Held] = []
  private var heldFrames = 0
  /// The number of the last buffer of any item, so that ends are reported in order.
  private var lastNumber: Int?

  init(
    _ queue: SoundQueue, _ settings: StreamSettings, _ notes: StreamNotes, run: Int,
    clock: @escaping @Sendable () -> Duration = HLSSource.usualClock()
  ) {
    (self.queue, self.notes, self.run, self.clock) = (queue, notes, run, clock)
    rate = queue.rate ?? .hertz48000
    reserve = StreamReserve(seconds: settings.firstSeconds)
    aheadSeconds = min(600, max(0.1, settings.aheadSeconds))
    dryCount = queue.dryCount
  }

  /// Starts another item.
  func beginItem() {
    reserve.reset()
    (frame, endFrame) = (0, .max)
  }

  /// Starts at a frame of an item.
  func begin(at frame: Int64) { self.frame = frame }

  /// Sets the frame of the item at which it ends.
  func end(at frame: Int64) { endFrame = frame }

  /// Notes that the item arrives in real time.
  func noteRealTime() { reserve.noteRealTime() }

  /// Notes that the item arrives in real time, in pieces of the length of the sound so far.
  func noteRealTimePiece() {
    reserve.noteRealTime(piece: Double(heldFrames + samples.count / 2) / Double(rate.hertz))
  }

  /// Notes that the connection was lost.
  func noteInterruption() { reserve.noteInterruption() }

  /// Sets the length of an item.
  func set(_ length: StreamLength, of item: Int) {
    if notes.isLast(run) { notes.set(length, of: item) }
  }

  /// Adds an event to report when the next sample is audible.
  func note(_ event: StreamPlayer.Event) {
    cut(samples.count / 2)
    events.append(event)
  }

  /// Adds interleaved stereo samples, and waits until there is room for them.
  ///
  /// - Throws: `CancellationError`; `PartEnd` at the end of the part; errors of a queue that is not
  ///   rendered.
  func add(_ new: [Float], of item: Int) async throws {
    let left = max(0, endFrame - frame - Int64(samples.count / 2))
    let count = Int(min(Int64(new.count / 2), left))
    samples += new.prefix(2 * count)
    reserve.add(Double(count) / Double(rate.hertz), at: clock())
    let isEnd = Int64(count) == left
    if isEnd { cut(samples.count / 2) }
    while samples.count >= 2 * Self.bufferFrames { cut(Self.bufferFrames) }
    if notes.isHolding, heldFrames + samples.count / 2 >= reserveFrames { cut(samples.count / 2) }
    noteGaps()
    if isEnd || !notes.isHolding || heldFrames >= reserveFrames { try await release(item) }
    if isEnd { throw PartEnd() }
  }

  /// Adds the rest of an item to the queue, and an event to report after its last sample.
  func end(_ item: Int, _ event: StreamPlayer.Event) async throws {
    cut(samples.count / 2)
    try await release(item)
    events = []
    notes.end(lastNumber, event, run: run)
  }

  private var reserveFrames: Int {
    max(1, Int((reserve.seconds * Double(rate.hertz)).rounded()))
  }

  /// Holds sound back if the queue is empty, and increases the reserve after each gap.
  private func noteGaps() {
    guard hasStarted else { return }
    let count = queue.dryCount
    if count > dryCount, notes.hasMore { reserve.noteGap(at: clock()) }
    dryCount = count
    if queue.prime() == 0 { notes.hold() }
  }

  private func cut(_ frameCount: Int) {
    guard frameCount > 0 else { return }
    let buffer = SoundBuffer(interleaved: Array(samples.prefix(2 * frameCount)))
    samples.removeFirst(2 * frameCount)
    held.append(Held(buffer: buffer, frame: frame, events: events))
    frame += Int64(frameCount)
    events = []
    heldFrames += frameCount
  }

  private func release(_ item: Int) async throws {
    guard !held.isEmpty else { return }
    let ahead = max(reserveFrames, Int((aheadSeconds * Double(rate.hertz)).rounded()))
    for entry in held {
      while queue.prime() >= ahead {
        reserve.noteFull(at: clock())
        try await Task.sleep(for: .milliseconds(10))
      }
      // The queue must play before a buffer is added, or the first quantum with a buffer is silent.
      if !hasStarted { try notes.play(queue) }
      hasStarted = true
      lastNumber = try notes.enqueue(
        entry.buffer, of: item, at: entry.frame, entry.events, in: queue, run: run)
    }
    (held, heldFrames) = ([], 0)
    notes.release()
  }
}
