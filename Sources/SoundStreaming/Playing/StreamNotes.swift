// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import MusicalTime
internal import Synchronization

/// The events to report when a buffer of a queue starts or ends, shared by the task that fills the
/// queue and the thread that reports.
final class StreamNotes: Sendable {
  private struct State {
    /// The events by the numbers of the buffers.
    var beginnings: [Int: [StreamPlayer.Event]] = [:]
    var endings: [Int: [StreamPlayer.Event]] = [:]
    /// The number of the last buffer that is done.
    var done = -1
    /// True if a reserve is needed before more sound is queued.
    var isHolding = true
    /// The item whose sound is in the queue, if more sound of it will follow.
    var item: Int?
    /// The item for which the queue ran out of sound.
    var dryItem: Int?
    /// The number of starts and seeks.
    ///
    /// Sound of an earlier run is not needed.
    var run = 0
    /// The items of the buffers, and the frames of these with which they start.
    var places: [Int: (item: Int, frame: Int64)] = [:]
    /// The last known position.
    var last: (item: Int, frame: Int64) = (0, 0)
    var isPaused = false
    var lengths: [Int: StreamLength] = [:]
  }

  private let state = Mutex(State())
  private let rate: SampleRate
  private let report: StreamPlayer.Report

  init(_ rate: SampleRate, _ report: @escaping StreamPlayer.Report) {
    (self.rate, self.report) = (rate, report)
  }

  /// True if a reserve is needed before more sound is queued.
  var isHolding: Bool { state.withLock(\.isHolding) }

  /// Ends holding.
  func release() { state.withLock { $0.isHolding = false } }

  /// Holds sound back until there is a reserve.
  func hold() { state.withLock { $0.isHolding = true } }

  /// True while more sound of an item follows that in the queue.
  var hasMore: Bool { state.withLock { $0.item != nil } }

  /// Starts a run at another position.
  ///
  /// The queue is flushed, and sound of earlier runs is refused.
  ///
  /// - Returns: The number of the new run, and the item that was left.
  func begin(
    at item: Int, frame: Int64, in queue: SoundQueue
  ) throws(SoundQueueError) -> (run: Int, left: Int?) {
    try state.withLock { (state) throws(SoundQueueError) in
      if state.run > 0 { try queue.flush() }
      let left = state.last.item == item || state.run == 0 ? nil : state.last.item
      (state.beginnings, state.endings) = ([:], [:])
      (state.isHolding, state.item, state.dryItem) = (true, nil, nil)
      state.last = (item, frame)
      state.places = [:]
      state.run += 1
      return (state.run, left)
    }
  }

  /// Returns true if a run is the latest.
  func isLast(_ run: Int) -> Bool { state.withLock { $0.run == run } }

  /// Pauses or starts the queue; without sound, it starts with the first sound.
  func setPaused(_ isPaused: Bool, _ queue: SoundQueue) throws(SoundQueueError) {
    try state.withLock { (state) throws(SoundQueueError) in
      if isPaused { try queue.pause() } else { try queue.start() }
      state.isPaused = isPaused
    }
  }

  /// Starts the queue, unless it is paused.
  func play(_ queue: SoundQueue) throws(SoundQueueError) {
    try state.withLock { (state) throws(SoundQueueError) in
      if !state.isPaused { try queue.start() }
    }
  }

  /// Sets the length of an item.
  func set(_ length: StreamLength, of item: Int) { state.withLock { $0.lengths[item] = length } }

  /// The length of an item; nil if it is unknown.
  func length(of item: Int) -> StreamLength? { state.withLock { $0.lengths[item] } }

  /// The position of a queue: the item, and the frame in it.
  func place(_ queue: SoundQueue) -> (item: Int, frame: Int64) {
    let position = queue.position
    return state.withLock { state in
      if let number = position.number, let start = state.places[number] {
        state.last = (start.item, start.frame + Int64(position.frame))
      }
      return state.last
    }
  }

  /// Queues a buffer that starts with a frame of an item; returns its number.
  ///
  /// - Throws: `CancellationError` if a later run has started.
  func enqueue(
    _ buffer: SoundBuffer, of item: Int, at frame: Int64, _ events: [StreamPlayer.Event],
    in queue: SoundQueue, run: Int
  ) throws -> Int {
    // Under the lock, because the buffer can start immediately.
    try state.withLock { state in
      guard state.run == run else { throw CancellationError() }
      let number = try queue.enqueue(buffer)
      if !events.isEmpty { state.beginnings[number] = events }
      state.item = item
      state.places[number] = (item, frame)
      return number
    }
  }

  /// Notes that an item is complete, and the event to report when a buffer has been played;
  /// `number` is nil if the item does not have a buffer.
  func end(_ number: Int?, _ event: StreamPlayer.Event, run: Int) {
    let isNow = state.withLock { state in
      guard state.run == run else { return false }
      state.item = nil
      guard let number, number > state.done else { return true }
      state.endings[number, default: []].append(event)
      return false
    }
    if isNow { report(event) }
  }

  /// Reports the events that belong to an event of the queue.
  func take(_ event: SoundQueue.Event) {
    for event in state.withLock({ due(event, &$0) }) { report(event) }
  }

  private func due(_ event: SoundQueue.Event, _ state: inout State) -> [StreamPlayer.Event] {
    switch event {
    case .began(let number, _, _): return state.beginnings.removeValue(forKey: number) ?? []
    case .done(let done):
      state.done = done.number
      if let start = state.places.removeValue(forKey: done.number), done.reason == .played {
        state.last = (start.item, max(state.last.frame, start.frame))
      }
      return state.endings.removeValue(forKey: done.number) ?? []
    case .ranDry:
      guard let item = state.item else { return [] }
      state.dryItem = item
      return [.ranDry(item: item)]
    case .discontinuity(_, let silentFrames):
      guard let item = state.dryItem else { return [] }
      state.dryItem = nil
      return [.wentOn(item: item, seconds: Double(silentFrames) / Double(rate.hertz))]
    case .paused, .stopped: return []
    }
  }
}
