// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import CommandKit
internal import MusicSequences
internal import MusicalTime
internal import PlayerControl
internal import SoundStreaming

/// The part of a sound that `--from` and `--to` select.
struct SoundPart {
  private let from: SongTime?
  private let to: SongTime?

  init(_ from: SongTime?, _ to: SongTime?) { (self.from, self.to) = (from, to) }

  /// The frames of a file; nil for all.
  ///
  /// - Throws: `Failure` if the part is empty, or if it starts after the end of the file.
  func frames(of reader: SoundFileReader) throws -> Range<Int64>? {
    guard from != nil || to != nil else { return nil }
    if reader.isFrameCountEstimated { reader.lookForEnd() }
    let start = try from?.frame(in: MusicSequence(), rate: reader.rate) ?? 0
    let end = try to?.frame(in: MusicSequence(), rate: reader.rate) ?? .max
    guard start < end else {
      throw Failure(.usage, "--from must be before --to", options: ["--from"])
    }
    let count = Int64(clamping: reader.frameCount)
    guard start < count || start == 0 || reader.isFrameCountEstimated else {
      let length = (count / Int64(reader.rate.hertz)).clockText
      throw Failure(
        .usage, "\(reader.path): --from: is at or after the end, \(length)", options: ["--from"])
    }
    return start..<max(start + 1, min(end, count, 1 << 50))
  }

  /// The settings for streams that play this part.
  ///
  /// - Throws: `Failure` if the part is empty.
  func apply(to settings: inout StreamSettings) throws {
    let (start, end) = try (from.map(StreamTime.init(typed:)), to.map(StreamTime.init(typed:)))
    if let start { settings.start = start }
    settings.end = end
    guard let from, let to else { return }
    // Frames and seconds can be compared only at the rate of the stream.
    let rate = SampleRate.hertz48000
    guard
      try from.frame(in: MusicSequence(), rate: rate) < to.frame(in: MusicSequence(), rate: rate)
    else { throw Failure(.usage, "--from must be before --to", options: ["--from"]) }
  }
}

extension StreamTime {
  /// Creates the time that was typed: in frames if the text is in samples, otherwise in seconds.
  ///
  /// - Throws: `Failure` if the time cannot be used for a sound.
  init(typed time: SongTime) throws {
    let sequence = MusicSequence()
    let one = try time.frame(in: sequence, rate: .hertz48000)
    let other = try time.frame(in: sequence, rate: .hertz44100)
    let nanoseconds = try time.nanoseconds(in: sequence)
    self = one == other && one > 0 ? .frames(one) : .seconds(Double(nanoseconds) / 1e9)
  }
}
