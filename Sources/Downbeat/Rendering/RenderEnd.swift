// SPDX-License-Identifier: Apache-2.0
internal import MusicSequences
internal import MusicalTime
internal import SequencePlayback

/// Where a rendering ends; that of a track that loops for ever, where the longest track does.
struct RenderEnd {
  /// The frame at which it ends, whatever sounds.
  let frameLimit: Int64
  /// The frames from the start to the sequence's end, or to the limit, for a sign of progress.
  let expectedFrames: Int64

  /// The frame at which the song ends: where its last note is released, or where its longest track
  /// ends if the tail is exact or the options play to the end.
  let length: Int64

  /// The frame from which quiet samples may be left out; nil unless the tail is automatic.
  var quietStart: Int64? { tail == .auto ? length : nil }

  private let tail: RenderTail
  /// Whether tracks loop, so that the last event decides.
  private let hasLoopingTracks: Bool
  private let rate: SampleRate
  private var ringOut: RingOut

  init(
    _ tail: RenderTail, of score: PlayerScore, _ options: PlaybackOptions, acceleration: Ratio,
    rate: SampleRate, endFrame: Int64, frameLimit: Int64
  ) throws {
    let place = try SongPlace(score.tempoMap, options, rate: rate)
    let written = score.sequence.length
    let isWhole = tail == .exact || options.playsToEnd
    let whole = try place.end(of: isWhole ? written : score.end ?? written, acceleration)
    length = min(whole ?? frameLimit, endFrame)
    // What is cut short has no last event of its own: it ends where it is cut.
    let tail = tail == .none && length == endFrame ? .exact : tail
    self.tail = tail
    self.rate = rate
    hasLoopingTracks = score.end == nil
    let isEndless = score.sequence.tracks.contains { $0.settings.loop?.count == 0 }
    self.frameLimit = tail == .exact || isEndless ? min(frameLimit, length) : frameLimit
    expectedFrames = min(length, frameLimit)
    ringOut = RingOut(rate: rate)
  }

  /// How fast the music runs in a pass of its loop.
  static func playRate(_ rate: Ratio, _ acceleration: Ratio, pass: Int) -> Ratio {
    do {
      return min(try rate * (1 + acceleration * Ratio(Int64(pass))), 32)
    } catch {
      // A fraction too long to be exact: that is faster than anything.
      return 32
    }
  }

  /// Whether the quantum that begins at a frame is not rendered any more.
  ///
  /// - Parameters:
  ///   - ensemble: what plays the song.
  ///   - frame: the quantum's first frame.
  ///   - tail: the frames for which effects sound on after it.
  ///   - quietFrames: the frames since the song's end, or since the last audible one.
  /// - Returns: Whether it is the first that is left out.
  mutating func isReached(
    by ensemble: Ensemble, at frame: Int64, tail: Int = 0, quietFrames: Int = 0
  ) -> Bool {
    guard ensemble.isFinished else { return false }
    switch self.tail {
    case .exact: return false
    case .auto:
      // An echo may follow as late as the effects' tail, and a voice may swell again.
      if quietFrames > tail + Int(rate.hertz) { return true }
      return frame >= length && ringOut.isOver(isSilent: ensemble.isSilent, tail: tail)
    case .none: return frame >= lastFrame(of: ensemble)
    case .seconds(let seconds):
      let rest = Int64(seconds * Double(rate.hertz))
      return frame >= max(length, lastFrame(of: ensemble)) + rest
    }
  }

  /// The frame of the last event, those left out after which nothing sounds.
  private func lastFrame(of ensemble: Ensemble) -> Int64 {
    let last = rate.frame(at: ensemble.lastTime).frames
    return hasLoopingTracks ? last : min(last, length)
  }
}
