// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import CommandKit
internal import CommandOptions
internal import Downbeat
internal import Glibc
internal import JSONText
internal import MusicSequences
internal import MusicalTime
internal import PlayerControl
internal import Realtime

/// The rendering of one song to one sound file, or to a folder of stems.
struct RenderJob {
  let song: Song
  let part: PlaybackPart
  let settings: SessionSettings
  let format: SoundFileFormat
  let output: String
  let options: Render
  let signals: SignalWatch
  /// The number of threads; nil for one per processor.
  let threadCount: Int?
  /// The frame at which the file ends, even if notes still sound.
  let frameLimit: Int64
  /// The frame at which `--length` ends the song and the tail starts; the maximum without it.
  let endFrame: Int64
  let playback: PlaybackOptions
  /// The timecode file; nil for none.
  private let timecode: TimecodeSound?
  let work = ForcedEnd.Job()
  let level: RenderLevel
  let channels: OutputChannels
  /// Measures the output for the report; nil without a report.
  let outputMeter: LoudnessMeter?

  /// The share of rendering in the progress.
  ///
  /// The rest is for the change of the level.
  static let share = 0.95

  init(
    song: Song, part: PlaybackPart, settings: SessionSettings, format: SoundFileFormat,
    output: String, options: Render, signals: SignalWatch, threadCount: Int?
  ) throws {
    self.song = song
    self.part = part
    var settings = settings
    settings.effects = try options.sound.effects(of: settings, for: part.sequence)
    var level = try RenderLevel(
      to: options.normalize, options.sound, part.sequence, rate: settings.rate,
      channelCount: options.channels)
    settings.gain = try level.known ?? options.sound.measuringGain(settings, for: part.sequence)
    level.heardGain = settings.gain
    self.level = level
    self.settings = settings
    self.format = format
    self.output = output
    self.options = options
    self.signals = signals
    self.threadCount = threadCount
    var playback = options.flags.options(for: part)
    playback.playsToEnd = part.endsAsAsked
    self.playback = playback
    timecode = try options.timecode.sound(
      for: part.sequence, from: part.start, rate: settings.rate,
      mayReplace: options.file.overwrite)
    channels = OutputChannels(count: options.channels)
    outputMeter = try Self.outputMeter(settings.rate, options)
    let length = try options.length.map { length in
      let frames = try length.frame(in: part.sequence, rate: settings.rate)
      guard frames > 0 else { throw Failure(.usage, "--length: must be more than 0") }
      return frames
    }
    frameLimit = options.tail == nil ? length ?? .max : .max
    endFrame = length ?? .max
    guard try hasNotes() else {
      throw Failure(.badData, "\(song.name): contains no notes to render")
    }
    guard playback.loop?.count != 0 || length != nil else {
      throw Failure(.usage, "\(song.name): repeats forever (add --loop=N or --length)")
    }
  }

  /// True if the part contains notes, or if it is silent but other parts of the chosen channels
  /// contain some.
  private func hasNotes() throws -> Bool {
    if part.sequence.hasNotes { return true }
    guard options.stems == nil else { return false }
    var whole = try options.flags.sequence(of: song)
    options.flags.part.keepHeard(of: &whole, in: options.sound.banks.bankMode)
    return whole.hasNotes
  }

  /// Returns a meter; nil if nothing is reported, or if the library that measures is missing.
  private static func outputMeter(_ rate: SampleRate, _ options: Render) throws -> LoudnessMeter? {
    guard options.stems == nil, JSONReport.isOn || !options.reading.quiet else { return nil }
    do {
      return try LoudnessMeter(
        channelCount: options.channels, rate: rate, findsPeaks: JSONReport.isOn)
    } catch {
      guard case .meterMissing = error else { throw error }
      return nil
    }
  }

  var decoder: TextDecoder { TextDecoder(for: song.file) }
  var tail: RenderTail { options.tail ?? .auto }

  /// The folder for the temporary file of a long sound; nil for standard output.
  private var folder: String? {
    guard output != "-" else { return nil }
    return output.lastIndex(of: "/").map { String(output[...$0]) } ?? "."
  }

  /// Writes the file; returns nil after a signal, and no file is kept.
  func writeMix() throws -> FileBatch.Done? {
    var bar = ProgressBar(label: song.name, rate: settings.rate)
    defer { bar.clear() }
    let chained = try ChainedSong(part.sequence, settings, options.sound, isLive: false)
    let renderer = try SongRenderer(
      chained.sequence, settings: chained.settings, options: playback, pads: options.sound.pads(),
      instruments: chained.instruments, registry: chained.registry, threadCount: threadCount)
    renderer.tail = tail
    renderer.endFrame = SampleTime(frames: endFrame)
    renderer.acceleration = options.flags.ramp
    // A plug-in may crash or hang when it is freed. Therefore it is freed after the file is
    // complete.
    defer { withExtendedLifetime((renderer, chained)) { work.end() } }
    let missing = MissingSounds(renderer, chained)
    options.reading.tell(missing, of: song.name)
    let size = try size(renderer.length().frames)
    // Before this point, a signal ends the process at once. Standard output needs no clean-up.
    if output != "-" { signals.holdForCleanUp() }
    let writer = try writer(
      output, about: metadata(renderer, limit: size.mostFrames), frameCount: size.mostFrames)
    let limits = !format.encoding.isFloatingPoint
    let report: RenderReport
    let faulty: [String]
    if level.known != nil {
      report = try renderer.render(upTo: SampleTime(frames: frameLimit), limiting: limits) {
        samples, progress in
        guard signals.signal == nil else { return false }
        try write(samples, to: writer)
        bar.show(progress, adding: samples.count / SongRenderer.channelCount)
        return true
      }
      faulty = report.faultyUnits
    } else {
      let store = SampleStore(folder: folder)
      faulty = try renderer.render(upTo: SampleTime(frames: frameLimit), limiting: false) {
        samples, progress in
        try channels.withFrames(of: samples) { frames in
          level.measure(frames)
          try channels.withPairs(of: frames) { try store.append($0) }
        }
        bar.show(progress * Self.share, adding: samples.count / SongRenderer.channelCount)
        return signals.signal == nil
      }.faultyUnits
      guard signals.signal == nil else { return nil }
      report = try store.render(
        gain: level.gain(), limiting: limits && !level.isExact, rate: settings.rate
      ) { samples, progress in
        try write(samples, to: writer)
        bar.show(Self.share + progress * (1 - Self.share))
        return signals.signal == nil
      }
    }
    guard signals.signal == nil else { return nil }
    try writer.finish()
    bar.clear()
    tellFaulty(faulty)
    if JSONReport.isOn { try tell(writer, report, missing) }
    guard try writeTimecode(report.frameCount) else { return nil }
    return work.done(done(report.frameCount, limitedTo: report.lowestGain))
  }

  /// Writes samples of the mix in the channels of the file, and measures them.
  private func write(_ mix: Span<Float>, to writer: SoundFileWriter) throws {
    try channels.withFrames(of: mix) { frames in
      outputMeter?.measure(frames)
      try writer.write(frames)
    }
  }

  /// Writes the timecode file; returns false after a signal.
  func writeTimecode(_ frameCount: Int64) throws -> Bool {
    guard var timecode else { return true }
    guard try timecode.write(frameCount, until: signals) else { return false }
    guard JSONReport.isOn else { return true }
    try WrittenFile.sound(timecode.path, from: song.name, kind: timecode.format.container).tell()
    return true
  }

  /// Reports a file as JSON.
  private func tell(
    _ writer: SoundFileWriter, _ report: RenderReport, _ missing: MissingSounds
  ) throws {
    var written = try WrittenFile.sound(writer.path, from: song.name, kind: format.container)
    written.add("loudness", Self.number(outputMeter?.integrated))
    written.add("truePeak", Self.number(outputMeter.map { 20 * log10($0.truePeak) }))
    written.add("turnedDown", Self.number(-20 * log10(Double(report.lowestGain))))
    tell(&written, missing)
  }

  func tell(_ written: inout WrittenFile, _ missing: MissingSounds) {
    missing.add(to: &written)
    written.add(repairsOf: song.file)
    written.tell(song.status)
  }

  /// Returns decibels with two decimals; null if they are unknown or the sound is silent.
  private static func number(_ decibels: Double?) -> JSONValue {
    guard let decibels, decibels.isFinite else { return .null }
    return .decimal(decibels.decimal(2))
  }

  /// Returns the title, markers, cue points and loop of the rendered part.
  private func metadata(_ renderer: SongRenderer, limit: Int64) throws -> SoundFileMetadata {
    var metadata = SoundFileMetadata()
    if let name = part.sequence.tracks.first?.firstText(.trackName) {
      let title = decoder.text(name).filter { !$0.isNewline }
      if !title.isEmpty { metadata.tags[.title] = title }
    }
    metadata.tags.merge(Self.tags(of: song)) { $1 }
    let decoder = decoder
    metadata.markers = try renderer.markers().filter { $0.position.frames < limit }.map {
      SoundFileMetadata.Marker(position: $0.position, name: decoder.text($0.text.bytes))
    }
    if let loop = try renderer.loop(), loop.upperBound.frames <= limit {
      let frames = loop.lowerBound.frames..<loop.upperBound.frames
      metadata.instrument = SoundFileMetadata.Instrument()
      metadata.instrument?.loops = [SoundFileMetadata.Loop(frames)]
    }
    return metadata
  }

  /// Returns the texts of the song's RIFF wrapper as tags of a sound file.
  private static func tags(of song: Song) -> [SoundFileMetadata.Tag: String] {
    guard let texts = song.file.wrapper.map(WrapperTexts.init) else { return [:] }
    let fields: [(SongWrapper.Field, SoundFileMetadata.Tag)] = [
      (.title, .title), (.artist, .artist), (.album, .album), (.genre, .genre), (.date, .date),
      (.comment, .comment), (.copyright, .copyright),
    ]
    return fields.reduce(into: [:]) { tags, pair in
      tags[pair.1] = texts[pair.0]?.filter { !$0.isNewline }
    }
  }

  /// Estimates the size of the output, prints a notice for a long one, and fails if the disk is too
  /// small.
  func size(_ songFrames: Int64, fileCount: Int = 1) throws -> RenderSize {
    let size = RenderSize(
      songFrames: songFrames, tail: tail, limit: frameLimit, rate: settings.rate)
    // A sound that is measured first is stored meanwhile, with 4 bytes per sample.
    let kept = level.known == nil ? MemoryLayout<Float>.stride : 0
    let bytes =
      ((format.encoding.bytes ?? 0) * channels.count + kept * SongRenderer.channelCount) * fileCount
    try size.checkRoom(in: folder ?? "/tmp", bytesPerFrame: bytes, for: output)
    if let notice = size.notice, !options.reading.quiet {
      Terminal.report("\(song.name): \(notice)")
    }
    return size
  }

  func writer(
    _ path: String, about metadata: SoundFileMetadata = SoundFileMetadata(), frameCount: Int64
  ) throws -> SoundFileWriter {
    var options = SoundFileWriter.Options()
    options.metadata = metadata
    options.expectedFrameCount = Int(frameCount)
    options.dither = self.options.file.dither ?? .none
    options.mayReplace = self.options.file.overwrite
    options.bitrate = self.options.codec.bitrate?.bits
    options.quality = self.options.codec.share
    let isPipe = path == "-"
    return try SoundFileWriter(
      path: isPipe ? "standard output" : path,
      descriptor: isPipe ? Console.current.outputDescriptor : nil, format: format,
      channelCount: channels.count, rate: settings.rate, options: options)
  }

  /// Reports the effects whose output contained NaN or infinity.
  func tellFaulty(_ units: [String]) {
    guard !units.isEmpty else { return }
    Terminal.report(
      "\(output): \(units.joined(separator: ", ")): NaN or infinite samples, replaced by silence")
  }
}
