// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import Downbeat
internal import Glibc
internal import MusicSequences
internal import MusicalTime

/// One song on its way to one sound file, or to a folder of stems.
struct RenderJob {
  let song: Song
  let settings: SessionSettings
  let format: SoundFileFormat
  let output: String
  let options: Render
  let signals: SignalWatch

  private var decoder: TextDecoder {
    TextDecoder(SequenceFeatures(song.file.sequences).textEncoding)
  }

  /// Writes the file; false when a signal came and nothing was kept.
  func writeMix() throws -> Bool {
    var bar = ProgressBar(label: song.name)
    defer { bar.clear() }
    var settings = settings
    if let level = options.normalize {
      guard let gain = try gain(to: level, &bar) else { return false }
      settings.gain *= gain
    }
    let renderers = try song.file.sequences.map { try renderer($0, settings) }
    for renderer in renderers { options.reading.tell(renderer.missingPresets, of: song.name) }
    // Until here a signal ends the process where it is, whatever is read; a pipe's bytes have no
    // name that would have to be cleaned up.
    if output != "-" { signals.holdForCleanUp() }
    let writer = try writer(output, about: metadata(renderers))
    var lowest: Float = 1
    let passes = options.normalize == nil ? 1 : 2
    for (index, (sequence, renderer)) in zip(song.file.sequences, renderers).enumerated() {
      bar.begin(part: (passes - 1) * renderers.count + index, of: passes * renderers.count)
      let report = try renderer.render(
        upTo: limit(in: sequence), limiting: !format.exceedsFullScale
      ) { samples, progress in
        guard signals.signal == nil else { return false }
        try writer.write(samples)
        bar.show(progress)
        return true
      }
      guard signals.signal == nil else { return false }
      lowest = min(lowest, report.lowestGain)
    }
    try writer.finish()
    bar.clear()
    tellLimited(lowest, at: settings.gain)
    return true
  }

  /// Title, markers, cue points and loop of the first sequence, as far as it is rendered.
  private func metadata(_ renderers: [SongRenderer]) throws -> SoundFileMetadata {
    var metadata = SoundFileMetadata()
    guard let renderer = renderers.first, let sequence = song.file.sequences.first else {
      return metadata
    }
    if let name = sequence.tracks.first?.firstText(.trackName) {
      let title = decoder.text(MetaText(name)).filter { !$0.isNewline }
      if !title.isEmpty { metadata.tags[.title] = title }
    }
    let limit = try limit(in: sequence)
    metadata.markers = try renderer.markers().filter { $0.position.frames < limit }.map {
      SoundFileMetadata.Marker(position: $0.position, name: decoder.text($0.text))
    }
    if let loop = try renderer.loop(), loop.upperBound.frames <= limit {
      let frames = loop.lowerBound.frames..<loop.upperBound.frames
      metadata.instrument = SoundFileMetadata.Instrument()
      metadata.instrument?.loops = [SoundFileMetadata.Loop(frames)]
    }
    return metadata
  }

  /// The factor that brings the song to a level; nil when a signal came.
  private func gain(to level: TargetLevel, _ bar: inout ProgressBar) throws -> Float? {
    let meter = try LoudnessMeter(channelCount: SongRenderer.channelCount, rate: settings.rate)
    for (index, sequence) in song.file.sequences.enumerated() {
      bar.begin(part: index, of: 2 * song.file.sequences.count)
      try renderer(sequence, settings).render(upTo: limit(in: sequence), limiting: false) {
        samples, progress in
        meter.hear(samples)
        bar.show(progress)
        return signals.signal == nil
      }
    }
    guard signals.signal == nil else { return nil }
    switch level {
    case .peak(let decibels):
      guard meter.truePeak > 0 else { return 1 }
      return Float(pow(10, decibels / 20) / meter.truePeak)
    case .loudness(let units):
      guard let loudness = meter.integrated else { return 1 }
      return Float(pow(10, (units - loudness) / 20))
    }
  }

  private func renderer(
    _ sequence: MusicSequence, _ settings: SessionSettings
  ) throws -> SongRenderer {
    let renderer = try SongRenderer(
      sequence, settings: settings, pads: options.sound.pads(), threadCount: options.threads)
    renderer.tail = options.tail
    return renderer
  }

  private func limit(in sequence: MusicSequence) throws -> Int64 {
    guard let length = options.length else { return .max }
    let limit = try length.frame(in: sequence, rate: settings.rate)
    guard limit > 0 else { throw Failure(.usage, "--length: nothing is left of \(song.name)") }
    return limit
  }

  private func writer(
    _ path: String, about metadata: SoundFileMetadata
  ) throws -> SoundFileWriter {
    var options = SoundFileWriter.Options()
    options.metadata = metadata
    options.dither = self.options.file.dither ?? .none
    options.mayReplace = self.options.file.overwrite
    let isPipe = path == "-"
    return try SoundFileWriter(
      path: isPipe ? "standard output" : path, descriptor: isPipe ? STDOUT_FILENO : nil,
      format: format, channelCount: SongRenderer.channelCount, rate: settings.rate,
      options: options)
  }

  /// Tells what the limiter did, and what would leave it nothing to do; where nobody chose a level
  /// some of its work was reckoned with.
  private func tellLimited(_ lowest: Float, at gain: Float) {
    let isChosen = options.sound.gain != nil || options.normalize != nil
    guard lowest < (isChosen ? 1 : Self.unremarkable), !options.reading.quiet else { return }
    let told = (-200 * log10(Double(lowest))).rounded(.up) / 10
    let remedy = Int((20 * log10(Double(gain * lowest))).rounded(.down))
    Terminal.report(
      "\(output): turned down by up to \(told) dB where it was too loud (try --gain \(remedy)dB)")
  }

  /// A gain of the limiter, −6 dB, down to which peaks are not heard to be turned down.
  private static let unremarkable: Float = 0.5
}

extension RenderJob {
  /// Writes a folder of stems; false when a signal came and nothing was kept.
  func writeStems(by choice: StemChoice) throws -> Bool {
    let isNew = unsafe access(output, F_OK) != 0
    var isDone = false
    // A folder that holds anything stays.
    defer { if isNew, !isDone { unsafe rmdir(output) } }
    isDone = try writeFolder(by: choice)
    return isDone
  }

  private func writeFolder(by choice: StemChoice) throws -> Bool {
    guard song.file.sequences.count == 1 else {
      throw Failure(
        .usage, "\(song.name): holds several sequences (downbeat edit takes one out)")
    }
    let sequence = song.file.sequences[0]
    let renderer = try StemRenderer(
      sequence, by: choice, settings: settings, pads: options.sound.pads(),
      threadCount: options.threads)
    renderer.tail = options.tail
    options.reading.tell(renderer.missingPresets, of: song.name)
    signals.holdForCleanUp()
    try makeFolder()
    let writers = try renderer.stems.map { stem in
      let path = "\(output)/\(name(of: stem, in: sequence)).\(format.container.suffixes[0])"
      try options.file.check(path)
      return try writer(path, about: SoundFileMetadata())
    }
    var bar = ProgressBar(label: song.name)
    defer { bar.clear() }
    try renderer.render(upTo: limit(in: sequence)) { stem, samples, progress in
      guard signals.signal == nil else { return false }
      try writers[stem].write(samples)
      bar.show(progress)
      return true
    }
    guard signals.signal == nil else { return false }
    for writer in writers { try writer.finish() }
    bar.clear()
    let clipped = writers.reduce(0) { $0 + $1.clampedSampleCount }
    if clipped > 0, !options.reading.quiet {
      Terminal.report("\(output): \(clipped) samples were too loud and clipped (try --bits float)")
    }
    return true
  }

  private func makeFolder() throws {
    let code = unsafe mkdir(output, 0o777)
    guard code == 0 || errno == EEXIST else {
      let status = ExitStatus.noOutput.unlessDenied(errno)
      throw Failure(status, "\(output): \(unsafe String(cString: strerror(errno)))")
    }
  }

  /// A file's name: the number, and what the song calls it where that can be a file's name.
  private func name(of stem: Stem, in sequence: MusicSequence) -> String {
    switch stem.source {
    case .effects: return "effects"
    case .clips: return "clips"
    case .channel(let number): return "channel-\(padded(number))"
    case .track(let index):
      let text = sequence.tracks[index].firstText(.trackName).map { decoder.text(MetaText($0)) }
      let kept = (text ?? "").unicodeScalars.prefix(40).map { scalar in
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
          ? Character(scalar) : "-"
      }
      let words = String(kept).split(separator: "-").joined(separator: "-")
      return "track-\(padded(index + 1))" + (words.isEmpty ? "" : "-" + words)
    }
  }

  private func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension SoundFileFormat {
  /// Whether a sample may be above full scale.
  fileprivate var exceedsFullScale: Bool { encoding == .float32 || encoding == .float64 }
}
