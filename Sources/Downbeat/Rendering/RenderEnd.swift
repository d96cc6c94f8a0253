// SPDX-License-Identifier: Apache-2.0
internal import MusicSequences
internal import MusicalTime
internal import SequencePlayback

/// The end of a rendering; an endless loop of a track ends with the longest track.
struct RenderEnd {
  /// The frame at which rendering ends in any case.
  let frameLimit: Int64
  /// The frames from the start to the end of the sequence, or to the limit, for a progress display.
  let expectedFrames: Int64

  /// The frame at which the song ends: at the release of its last note, or at the end of its
  /// longest track if the tail is exact or the options play to the end.
  let length: Int64

  /// The frame from which quiet samples may be removed; nil unless the tail is automatic.
  var quietStart: Int64? { tail == .auto ? length : nil }

  private let tail: RenderTail
  /// True if tracks loop, so that the last event determines the end.
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
    // A song that is cut off ends at the cut, not at its last event.
    let tail = tail == .none && length == endFrame ? .exact : tail
    self.tail = tail
    self.rate = rate
    hasLoopingTracks = score.end == nil
    let isEndless = score.sequence.tracks.contains { $0.settings.loop?.count == 0 }
    self.frameLimit = tail == .exact || isEndless ? min(frameLimit, length) : frameLimit
    expectedFrames = min(length, frameLimit)
    ringOut = RingOut(rate: rate)
  }

  /// The play rate in a pass of the loop, counted from 0.
  static func playRate(_ rate: Ratio, _ acceleration: Ratio, pass: Int) -> Ratio {
    do {
      return min(try rate * (1 + acceleration * Ratio(Int64(pass))), 32)
    } catch {
      // The fraction is too large to be exact, so the rate is above the limit.
      return 32
    }
  }

  /// Returns true if the quantum that begins at a frame must not be rendered.
  ///
  /// - Parameters:
  ///   - ensemble: The instruments that play the song.
  ///   - frame: The first frame of the quantum.
  ///   - tail: The tail of the effects, in frames.
  ///   - quietFrames: The number of frames since the song's end, or since the last audible frame.
  /// - Returns: True if rendering ends before the quantum.
  mutating func isReached(
    by ensemble: Ensemble, at frame: Int64, tail: Int = 0, quietFrames: Int = 0
  ) -> Bool {
    guard ensemble.isFinished else { return false }
    switch self.tail {
    case .exact: return false
    case .auto:
      // An echo may follow as late as the tail of the effects, and a voice may become louder again.
      if quietFrames > tail + Int(rate.hertz) { return true }
      return frame >= length && ringOut.isOver(isSilent: ensemble.isSilent, tail: tail)
    case .none: return frame >= lastFrame(of: ensemble)
    case .seconds(let seconds):
      let rest = Int64(seconds * Double(rate.hertz))
      return frame >= max(length, lastFrame(of: ensemble)) + rest
    }
  }

  /// The frame of the last event after which something sounds.
  private func lastFrame(of ensemble: Ensemble) -> Int64 {
    let last = rate.frame(at: ensemble.lastTime).frames
    return hasLoopingTracks ? last : min(last, length)
  }
}
