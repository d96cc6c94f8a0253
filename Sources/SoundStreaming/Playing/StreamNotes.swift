// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import MusicalTime
internal import Synchronization

/// What is to be told when a buffer of a queue begins or ends: all that the task that feeds a queue
/// and the thread that tells of it share.
final class StreamNotes: Sendable {
  private struct State {
    /// By the numbers of the buffers.
    var beginnings: [Int: [StreamPlayer.Event]] = [:]
    var endings: [Int: [StreamPlayer.Event]] = [:]
    /// The last buffer that is done.
    var done = -1
    /// Whether there is to be some sound before more of it is queued.
    var isHolding = true
    /// The item whose sound the queue has, as long as more is to come.
    var item: Int?
    /// The item that was left without sound.
    var dryItem: Int?
    /// How often another place was gone to: what was fed before that is no longer wanted.
    var run = 0
    /// The items of the buffers, and the frames of these that they begin with.
    var places: [Int: (item: Int, frame: Int64)] = [:]
    /// Where it is known to be.
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

  /// Whether there is to be some sound before more of it is queued.
  var isHolding: Bool { state.withLock(\.isHolding) }

  /// Ends holding.
  func release() { state.withLock { $0.isHolding = false } }

  /// Holds sound back until there is a reserve.
  func hold() { state.withLock { $0.isHolding = true } }

  /// True while more sound of an item follows that in the queue.
  var hasMore: Bool { state.withLock { $0.item != nil } }

  /// Begins at another place: what was queued is taken back, and what is fed for an earlier run no
  /// longer taken.
  ///
  /// - Returns: the number of the new run.
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

  /// Whether a run was not followed by another.
  func isLast(_ run: Int) -> Bool { state.withLock { $0.run == run } }

  /// Pauses the queue, or plays it, which waits for the first sound where there is none yet.
  func setPaused(_ isPaused: Bool, _ queue: SoundQueue) throws(SoundQueueError) {
    try state.withLock { (state) throws(SoundQueueError) in
      if isPaused { try queue.pause() } else { try queue.start() }
      state.isPaused = isPaused
    }
  }

  /// Has the queue play, unless somebody paused it.
  func play(_ queue: SoundQueue) throws(SoundQueueError) {
    try state.withLock { (state) throws(SoundQueueError) in
      if !state.isPaused { try queue.start() }
    }
  }

  /// Notes how long an item is.
  func set(_ length: StreamLength, of item: Int) { state.withLock { $0.lengths[item] = length } }

  /// How long an item is; nil where that is not known yet.
  func length(of item: Int) -> StreamLength? { state.withLock { $0.lengths[item] } }

  /// Where a queue is: the item, and the frame of it.
  func place(_ queue: SoundQueue) -> (item: Int, frame: Int64) {
    let position = queue.position
    return state.withLock { state in
      if let number = position.number, let start = state.places[number] {
        state.last = (start.item, start.frame + Int64(position.frame))
      }
      return state.last
    }
  }

  /// Queues a buffer that begins with a frame of an item; returns its number.
  ///
  /// - Throws: `CancellationError` where another place was gone to.
  func enqueue(
    _ buffer: SoundBuffer, of item: Int, at frame: Int64, _ events: [StreamPlayer.Event],
    in queue: SoundQueue, run: Int
  ) throws -> Int {
    // Under the lock, since the buffer may begin at once.
    try state.withLock { state in
      guard state.run == run else { throw CancellationError() }
      let number = try queue.enqueue(buffer)
      if !events.isEmpty { state.beginnings[number] = events }
      state.item = item
      state.places[number] = (item, frame)
      return number
    }
  }

  /// Says that no more of an item comes, and what is told when a buffer was heard; nil where there
  /// was none.
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

  /// Tells what belongs to an event of the queue.
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
