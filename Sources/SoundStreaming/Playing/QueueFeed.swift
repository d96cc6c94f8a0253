// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import MusicalTime

/// Puts samples into a queue, as far ahead as there is to be.
///
/// - Note: one task.
final class QueueFeed {
  /// A buffer that is not queued yet, and what is told when it begins.
  private struct Held {
    let buffer: SoundBuffer
    /// The frame of the item that it begins with.
    let frame: Int64
    let events: [StreamPlayer.Event]
  }

  /// Frames of a buffer.
  private static let bufferFrames = 2048

  /// The queue's.
  let rate: SampleRate
  private let queue: SoundQueue
  private let notes: StreamNotes
  private let (firstFrames, aheadFrames): (Int, Int)
  private let run: Int
  private var hasStarted = false
  /// The frame of the item that the next buffer begins with.
  private var frame: Int64 = 0
  /// Interleaved stereo that is no buffer yet.
  private var samples: [Float] = []
  private var events: [StreamPlayer.Event] = []
  private var held: [Held] = []
  private var heldFrames = 0
  /// The last buffer, of whatever item, so that ends are told in their order.
  private var lastNumber: Int?

  init(_ queue: SoundQueue, _ settings: StreamSettings, _ notes: StreamNotes, run: Int) {
    (self.queue, self.notes, self.run) = (queue, notes, run)
    rate = queue.rate ?? .hertz48000
    let hertz = Double(rate.hertz)
    firstFrames = Int((min(60, max(0, settings.firstSeconds)) * hertz).rounded())
    aheadFrames = max(
      firstFrames, Int((min(600, max(0.1, settings.aheadSeconds)) * hertz).rounded()))
  }

  /// Begins with a frame of an item.
  func begin(at frame: Int64) { self.frame = frame }

  /// Notes how long an item is.
  func set(_ length: StreamLength, of item: Int) {
    if notes.isLast(run) { notes.set(length, of: item) }
  }

  /// Notes what is told when the next sample is heard.
  func note(_ event: StreamPlayer.Event) {
    cut(samples.count / 2)
    events.append(event)
  }

  /// Adds interleaved stereo, and waits until there is room for it.
  ///
  /// - Throws: `CancellationError`, and what a queue that nobody renders throws.
  func add(_ new: [Float], of item: Int) async throws {
    samples += new
    while samples.count >= 2 * Self.bufferFrames { cut(Self.bufferFrames) }
    if !notes.isHolding || heldFrames >= firstFrames { try await release(item) }
  }

  /// Queues what is left of an item, and tells an event when all so far was heard.
  func end(_ item: Int, _ event: StreamPlayer.Event) async throws {
    cut(samples.count / 2)
    try await release(item)
    events = []
    notes.end(lastNumber, event, run: run)
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
    for entry in held {
      while queue.prime() >= aheadFrames { try await Task.sleep(for: .milliseconds(10)) }
      // First: a quantum that has the buffer and was not told to play is silent.
      if !hasStarted { try notes.play(queue) }
      hasStarted = true
      lastNumber = try notes.enqueue(
        entry.buffer, of: item, at: entry.frame, entry.events, in: queue, run: run)
    }
    (held, heldFrames) = ([], 0)
    notes.release()
  }
}
