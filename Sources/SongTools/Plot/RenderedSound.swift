// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import CommandKit
internal import CommandOptions
internal import Downbeat
internal import MusicSequences
internal import MusicalTime
internal import SongPictures

/// The sound of a part of a song, which is rendered and analysed, but not stored.
struct RenderedSound {
  private let song: Song
  private let options: Plot
  private let held: HeldUnits

  /// Prepares a rendering.
  ///
  /// `held` keeps its effects alive until the picture is written.
  init(_ song: Song, _ options: Plot, held: HeldUnits) {
    (self.song, self.options, self.held) = (song, options, held)
  }

  /// Renders a part of a sequence, in seconds.
  ///
  /// The sound that remains after its end is not included.
  ///
  /// - Returns: The analysis; nil if the part contains no notes to play.
  func survey(
    of sequence: MusicSequence, _ part: ClosedRange<Double>
  ) throws -> SoundSurvey? {
    var sequence = sequence
    let playback = try playback(of: sequence)
    if let to = options.flags.to { sequence.truncate(at: try to.tick(in: sequence)) }
    options.flags.keepHeard(of: &sequence, in: options.sound.banks.bankMode)
    guard sequence.hasNotes else { return nil }
    var settings = try options.sound.settings(
      options.sound.settings(allowingNoFont: true), of: song, isQuiet: options.reading.quiet)
    var level = try RenderLevel(options.sound, sequence, rate: settings.rate)
    settings.gain = try level.known ?? options.sound.measuringGain(settings, for: sequence)
    level.heardGain = settings.gain
    let chained = try ChainedSong(sequence, settings, options.sound, isLive: false)
    let renderer = try SongRenderer(
      chained.sequence, settings: chained.settings, options: playback, pads: options.sound.pads(),
      instruments: chained.instruments, registry: chained.registry)
    held.units = (renderer, chained)
    renderer.tail = .exact
    options.reading.tell(MissingSounds(renderer, chained), of: song.name)
    var bar = ProgressBar(label: song.name)
    defer { bar.clear() }
    var ear = try SurveyingEar(
      seconds: part.lowerBound...part.upperBound, rate: settings.rate, width: options.width,
      isQuiet: options.reading.quiet)
    try renderer.render(limiting: level.known != nil) { samples, progress in
      level.measure(samples)
      ear.hear(samples)
      bar.show(progress)
      return true
    }
    return ear.survey(gain: level.known == nil ? Double(try level.gain()) : 1)
  }

  private func playback(of sequence: MusicSequence) throws -> PlaybackOptions {
    var playback = PlaybackOptions()
    playback.start = try options.flags.from?.tick(in: sequence) ?? .zero
    return playback
  }
}

/// Analyses a stereo sound for a picture: its samples and its loudness.
struct SurveyingEar {
  /// The number of loudness values per second.
  private static let reports = 10

  private var sound: SoundSurvey
  private let meter: LoudnessMeter?
  private let start: Double
  private let rate: SampleRate
  private var frameCount = 0
  private var nextReport = 0

  /// Prepares for a range of time, in seconds.
  ///
  /// If the library that measures loudness is missing, this is reported and loudness is not drawn.
  init(seconds: ClosedRange<Double>, rate: SampleRate, width: Int, isQuiet: Bool) throws {
    let hertz = Double(rate.hertz)
    let length = min((seconds.upperBound - seconds.lowerBound) * hertz, 1e15)
    (start, self.rate) = (seconds.lowerBound, rate)
    sound = SoundSurvey(
      frameCount: Int(length.rounded(.up)), hertz: hertz, channelCount: 2,
      columnCount: SongPicture.columnCount(width: width))
    do {
      meter = try LoudnessMeter(
        channelCount: 2, rate: rate, findsPeaks: false, followsMoments: true)
    } catch SoundFileError.meterMissing {
      meter = nil
      if !isQuiet { Terminal.report("loudness is not drawn: \(SoundFileError.meterMissing)") }
    }
  }

  /// Analyses the next interleaved samples.
  mutating func hear(_ samples: Span<Float>) {
    var first = 0
    while first < samples.count {
      let wanted = max(nextReport - frameCount, 1) * 2
      let last = min(first + wanted, samples.count)
      let piece = samples.extracting(first..<last)
      sound.hear(piece)
      meter?.measure(piece)
      frameCount += (last - first) / 2
      first = last
      report()
    }
  }

  private mutating func report() {
    guard let meter, frameCount >= nextReport else { return }
    nextReport = frameCount + Int(rate.hertz) / Self.reports
    sound.take(
      momentary: meter.momentary, shortTerm: meter.shortTerm,
      atSeconds: start + Double(frameCount) / Double(rate.hertz))
  }

  /// Returns the result, as for a sound that was amplified by a factor.
  mutating func survey(gain: Double) -> SoundSurvey {
    sound.finish()
    sound.integrated = meter?.integrated
    sound.scale(by: gain)
    return sound
  }
}

/// Keeps effects alive until the output is written, because a plug-in may crash or hang when it is
/// freed.
final class HeldUnits {
  /// The objects to keep alive.
  var units: Any?
}
