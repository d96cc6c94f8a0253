// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import MusicalTime

/// The segments of a player, in the order in which they are played.
final class PlayerStream: FrameSupply, @unchecked Sendable {
  /// Every access to what follows holds the lock.
  private let lock = NSLock()
  private var segments: [PlayerSegment] = []
  private var playing = false
  /// Frames of the engine that were played since the player was stopped.
  private var played: Int64 = 0
  /// The engine's frame at which the player begins, or nil for the next.
  private var startFrame: Int64?
  /// The engine's frame of the player's frame 0, once it plays.
  private var origin: Int64?
  private var rate = SampleRate.hertz44100
  private var channelCount = 2

  /// Sets the format of the engine.
  func shape(_ rate: SampleRate, channelCount: Int) {
    lock.withLock { (self.rate, self.channelCount) = (rate, channelCount) }
  }

  var isPlaying: Bool { lock.withLock { playing } }

  /// The engine's frame of the player's frame 0; nil while it does not play.
  var playOrigin: Int64? { lock.withLock { playing ? origin : nil } }

  func play(at frame: Int64?) {
    lock.withLock {
      guard !playing else { return }
      (playing, startFrame, origin) = (true, frame, nil)
    }
  }

  func pause() {
    lock.withLock { (playing, origin) = (false, nil) }
  }

  func stop() {
    let dropped = lock.withLock {
      defer { (segments, playing, played, origin, startFrame) = ([], false, 0, nil, nil) }
      return segments
    }
    complete(dropped)
  }

  /// Adds a segment.
  ///
  /// - Parameters:
  ///   - segment: The segment.
  ///   - interrupts: True to drop the segments before it.
  ///   - atLoop: True to let the first segment reach the end of its loop before that.
  func add(_ segment: PlayerSegment, interrupts: Bool, atLoop: Bool) {
    let dropped = lock.withLock {
      var dropped: [PlayerSegment] = []
      if atLoop, let first = segments.first {
        first.loops = false
        dropped = Array(segments.dropFirst())
        segments = [first]
      } else if interrupts {
        dropped = segments
        segments = []
      }
      segments.append(segment)
      return dropped
    }
    complete(dropped)
  }

  /// Calls the handlers of segments on a thread that does not render.
  private func complete(_ segments: [PlayerSegment]) {
    let handlers = segments.compactMap(\.completion)
    guard !handlers.isEmpty else { return }
    DispatchQueue.global().async {
      for handler in handlers { handler() }
    }
  }

  func frames(_ count: Int, at start: Int64) -> [Float] {
    let (samples, finished) = lock.withLock { rendered(count, at: start) }
    complete(finished)
    return samples
  }

  private func rendered(_ count: Int, at start: Int64) -> ([Float], [PlayerSegment]) {
    guard playing else { return ([], []) }
    var samples: [Float] = []
    if let first = startFrame {
      let wait = first - start
      guard wait < count else { return ([], []) }
      samples = silence(Int(max(0, wait)))
      startFrame = nil
    }
    if origin == nil { origin = start + Int64(samples.count / channelCount) - played }
    var finished: [PlayerSegment] = []
    let skipped = samples.count / channelCount
    while samples.count < count * channelCount, let segment = segments.first {
      let frame = played + Int64(samples.count / channelCount - skipped)
      let missing = count - samples.count / channelCount
      if let begin = segment.start, begin > frame {
        samples += silence(Int(min(Int64(missing), begin - frame)))
        continue
      }
      let part = segment.frames(missing, to: rate, channelCount)
      samples += part
      if part.count < missing * channelCount { finished.append(segments.removeFirst()) }
    }
    played += Int64(count - skipped)
    return (samples, finished)
  }

  private func silence(_ frames: Int) -> [Float] {
    Array(repeating: 0, count: frames * channelCount)
  }
}
