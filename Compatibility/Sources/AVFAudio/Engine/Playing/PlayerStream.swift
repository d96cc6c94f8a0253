// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import Foundation
internal import MusicalTime
internal import Synchronization

/// The segments of a player, in the order in which they are played.
///
/// - Note: Any thread.
final class PlayerStream: EngineServed {
  private let state = Mutex(State())
  /// Calls the handlers of segments, in order.
  private static let queue = DispatchQueue(label: "player nodes")

  // Unchecked: used under the lock.
  private struct State: @unchecked Sendable {
    var segments: [PlayerSegment] = []
    var nextNumber: Int64 = 0
    var isPlaying = false
    /// The engine's frame at which the player begins, or nil for the next.
    var startFrame: Int64?
    /// The frames that were played before the present unit was made.
    var played: Int64 = 0
    /// The unit that the engine renders.
    var unit: PlayerUnit?
    /// Handlers that wait until a frame of the engine is audible.
    var waiting: [(frame: Int64, handler: AVAudioNodeCompletionHandler)] = []
  }

  /// Creates the unit for an engine; it continues at the position of the last one.
  func makeUnit(_ rate: SampleRate, channelCount: Int) -> PlayerUnit {
    let (unit, handlers) = state.withLock { state in
      let handlers = collect(&state, audibleFrame: .max)
      rewind(&state)
      let unit = PlayerUnit(channelCount: channelCount, rate: rate, played: state.played)
      state.unit = unit
      if state.isPlaying { unit.send(.play(at: state.startFrame ?? .min)) }
      feed(&state)
      return (unit, handlers)
    }
    call(handlers)
    return unit
  }

  /// Takes over the position of the unit that is given up.
  private func rewind(_ state: inout State) {
    guard let unit = state.unit else { return }
    let status = unit.status
    state.played = status.played
    if status.hasBegun { state.startFrame = nil }
    let head = unit.chunk(status.number) ?? unit.oldestChunk
    let place = unit.chunk(status.number) == nil ? 0 : status.place
    for (index, segment) in state.segments.enumerated() {
      let isHead = index == 0 && head?.segment == segment.number
      segment.rewind(to: isHead ? (head?.start ?? 0) + place : 0, of: unit.sampleRate)
    }
    state.unit = nil
  }

  var isPlaying: Bool { state.withLock(\.isPlaying) }

  /// The engine's frame of the player's frame 0; nil while it does not play.
  var playOrigin: Int64? {
    state.withLock { state in
      guard state.isPlaying, let status = state.unit?.status, status.hasBegun else { return nil }
      return status.origin
    }
  }

  func play(at frame: Int64?) {
    state.withLock { state in
      guard !state.isPlaying else { return }
      (state.isPlaying, state.startFrame) = (true, frame)
      state.unit?.send(.play(at: frame ?? .min))
    }
  }

  func pause() {
    state.withLock { state in
      guard state.isPlaying else { return }
      state.isPlaying = false
      state.unit?.send(.pause)
    }
  }

  func stop() {
    // Freed after the lock.
    nonisolated(unsafe) var dropped: [PlayerSegment] = []
    let waiting = state.withLock { state in
      unsafe dropped = state.segments
      defer { state.waiting = [] }
      (state.segments, state.isPlaying, state.startFrame, state.played) = ([], false, nil, 0)
      if let unit = state.unit { unit.send(.stop(before: unit.limit)) }
      return state.waiting.map(\.handler)
    }
    call(unsafe waiting + dropped.compactMap(\.completion?.handler))
  }

  /// Adds a segment.
  ///
  /// - Parameters:
  ///   - segment: The segment.
  ///   - interrupts: True to drop the segments before it.
  ///   - atLoop: True to let the first segment reach the end of its loop before that.
  func add(_ segment: sending PlayerSegment, interrupts: Bool, atLoop: Bool) {
    nonisolated(unsafe) let segment = segment
    // Freed after the lock.
    nonisolated(unsafe) var dropped: [PlayerSegment] = []
    state.withLock { state in
      unsafe dropped = drop(&state, interrupts: interrupts, atLoop: atLoop)
      unsafe segment.number = state.nextNumber
      state.nextNumber += 1
      unsafe state.segments.append(segment)
      feed(&state)
    }
    call(unsafe dropped.compactMap(\.completion?.handler))
  }

  /// Removes the segments that another interrupts.
  private func drop(_ state: inout State, interrupts: Bool, atLoop: Bool) -> [PlayerSegment] {
    if atLoop, let first = state.segments.first {
      defer { state.segments = [first] }
      first.loops = false
      if let unit = state.unit { unit.send(.endLoop(of: first.number, before: unit.limit)) }
      return Array(state.segments.dropFirst())
    }
    guard interrupts else { return [] }
    defer { state.segments = [] }
    if let unit = state.unit { unit.send(.drop(before: unit.limit)) }
    return state.segments
  }

  // MARK: Outside of the render thread

  func serve(_ moment: EngineMoment) {
    let handlers = state.withLock { state in
      let handlers = collect(&state, audibleFrame: moment.audibleFrame ?? .max)
      feed(&state)
      return handlers
    }
    call(handlers)
  }

  /// Takes back what the unit has played; returns the handlers that are due.
  private func collect(
    _ state: inout State, audibleFrame: Int64
  ) -> [AVAudioNodeCompletionHandler] {
    state.unit?.sendWaiting()
    var due: [AVAudioNodeCompletionHandler] = []
    while let (chunk, end) = state.unit?.takeBack() {
      let index = state.segments.firstIndex { $0.number == chunk.segment }
      guard chunk.isLast, let index else { continue }
      guard let completion = state.segments.remove(at: index).completion else { continue }
      if completion.waitsForSound {
        state.waiting.append((end, completion.handler))
      } else {
        due.append(completion.handler)
      }
    }
    let count = state.waiting.prefix { $0.frame <= audibleFrame }.count
    due += state.waiting.prefix(count).map(\.handler)
    state.waiting.removeFirst(count)
    return due
  }

  /// Gives the unit the next chunks.
  private func feed(_ state: inout State) {
    guard let unit = state.unit else { return }
    unit.sendWaiting()
    for segment in state.segments where !segment.isExhausted {
      var isFirst = segment.isUntouched
      while unit.hasRoom, let chunk = segment.next(unit.sampleRate, unit.channelCount) {
        unit.append(
          chunk, startFrame: isFirst ? segment.start : nil, loops: segment.loops)
        isFirst = false
      }
      if !segment.isExhausted { return }
    }
  }

  /// Calls handlers on a thread that does not render.
  private func call(_ handlers: [AVAudioNodeCompletionHandler]) {
    guard !handlers.isEmpty else { return }
    Self.queue.async {
      for handler in handlers { handler() }
    }
  }
}
