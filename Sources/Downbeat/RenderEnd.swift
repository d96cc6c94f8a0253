// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import MusicSequences
internal import MusicalTime
internal import SequencePlayback

/// Where a rendering ends; that of a track that loops for ever, where the longest track does.
struct RenderEnd {
  /// The frame at which it ends, whatever sounds.
  let frameLimit: Int64
  /// The frames from the start to the sequence's end, or to the limit, for a sign of progress.
  let expectedFrames: Int64

  private let tail: RenderTail
  /// The frame at which the sequence ends.
  private let length: Int64
  private let rate: SampleRate
  private var ringOut: RingOut

  init(
    _ tail: RenderTail, of score: PlayerScore, rate: SampleRate, frameLimit: Int64
  ) throws {
    let end = score.sequence.length
    length = try score.tempoMap.sampleTime(at: end, rate: rate, rounding: .ceil).value.frames
    self.tail = tail
    self.rate = rate
    let isEndless = score.sequence.tracks.contains { $0.settings.loop?.count == 0 }
    self.frameLimit = tail == .exact || isEndless ? min(frameLimit, length) : frameLimit
    expectedFrames = min(length, frameLimit)
    ringOut = RingOut(rate: rate)
  }

  /// Whether the quantum that begins at a frame is not rendered any more.
  mutating func isReached(by ensemble: Ensemble, at frame: Int64) -> Bool {
    guard ensemble.isFinished else { return false }
    switch tail {
    case .exact: return false
    case .auto: return frame >= length && ringOut.isOver(isSilent: ensemble.isSilent)
    case .none: return frame >= rate.frame(at: ensemble.lastTime).frames
    case .seconds(let seconds):
      let rest = Int64(seconds * Double(rate.hertz))
      return frame >= rate.frame(at: ensemble.lastTime).frames + rest
    }
  }
}
