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
  }

  private let state = Mutex(State())
  private let rate: SampleRate
  private let report: StreamPlayer.Report

  init(_ rate: SampleRate, _ report: @escaping StreamPlayer.Report) {
    (self.rate, self.report) = (rate, report)
  }

  /// Whether there is to be some sound before more of it is queued.
  var isHolding: Bool { state.withLock(\.isHolding) }

  /// Says that there was.
  func release() { state.withLock { $0.isHolding = false } }

  /// Queues a buffer; returns its number.
  func enqueue(
    _ buffer: SoundBuffer, of item: Int, _ events: [StreamPlayer.Event], in queue: SoundQueue
  ) throws(SoundQueueError) -> Int {
    // Under the lock, since the buffer may begin at once.
    try state.withLock { (state) throws(SoundQueueError) in
      let number = try queue.enqueue(buffer)
      if !events.isEmpty { state.beginnings[number] = events }
      state.item = item
      return number
    }
  }

  /// Says that no more of an item comes, and what is told when a buffer was heard; nil where there
  /// was none.
  func end(_ number: Int?, _ event: StreamPlayer.Event) {
    let isNow = state.withLock { state in
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
      return state.endings.removeValue(forKey: done.number) ?? []
    case .ranDry:
      guard let item = state.item else { return [] }
      (state.isHolding, state.dryItem) = (true, item)
      return [.ranDry(item: item)]
    case .discontinuity(_, let silentFrames):
      guard let item = state.dryItem else { return [] }
      state.dryItem = nil
      return [.wentOn(item: item, seconds: Double(silentFrames) / Double(rate.hertz))]
    case .paused, .stopped: return []
    }
  }
}
