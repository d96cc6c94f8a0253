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
internal import Synchronization

/// One song on its way to one sound file, or to a folder of stems.
struct RenderJob {
  let song: Song
  let part: PlaybackPart
  let settings: SessionSettings
  let format: SoundFileFormat
  let output: String
  let options: Render
  let signals: SignalWatch
  /// Threads that do the work; nil for one a processor.
  let threadCount: Int?
  /// The frame at which the file ends, whatever sounds.
  private let frameLimit: Int64
  /// The frame at which the song ends and its tail begins, where that is before its own end.
  private let endFrame: Int64
  private let playback: PlaybackOptions
  /// The timecode file, and the job that is open until all files are complete.
  private let timecode: TimecodeSound?
  private let work = ForcedEnd.Job()
  private let level: RenderLevel
  /// What hears what is written, where other programs are told how loud it is.
  private let witness: LoudnessMeter?

  /// How much of the work it is to render, and not to bring what was rendered to its level.
  private static let share = 0.95

  init(
    song: Song, part: PlaybackPart, settings: SessionSettings, format: SoundFileFormat,
    output: String, options: Render, signals: SignalWatch, threadCount: Int?
  ) throws {
    self.song = song
    self.part = part
    var settings = settings
    settings.effects = try options.sound.effects(of: settings, for: part.sequence)
    var level = try RenderLevel(
      to: options.normalize, options.sound, part.sequence, rate: settings.rate)
    settings.gain = try level.known ?? options.sound.measuringGain(settings, for: part.sequence)
    level.heardGain = settings.gain
    self.level = level
    self.settings = settings
    self.format = format
    self.output = output
    self.options = options
    self.signals = signals
    self.threadCount = threadCount
    playback = options.flags.options(for: part)
    timecode = try options.timecode.sound(
      for: part.sequence, from: part.start, rate: settings.rate,
      mayReplace: options.file.overwrite)
    witness = try JSONReport.isOn ? Self.witness(rate: settings.rate) : nil
    let length = try options.length.map { length in
      let frames = try length.frame(in: part.sequence, rate: settings.rate)
      guard frames > 0 else { throw Failure(.usage, "--length: nothing is left of \(song.name)") }
      return frames
    }
    frameLimit = options.tail == nil ? length ?? .max : .max
    endFrame = length ?? .max
    guard part.sequence.hasNotes else {
      throw Failure(.badData, "\(song.name): holds no note to render")
    }
    guard playback.loop?.count != 0 || length != nil else {
      throw Failure(.usage, "\(song.name): repeats for ever (add --loop=N or --length)")
    }
  }

  /// A meter; nil without the library that measures.
  private static func witness(rate: SampleRate) throws -> LoudnessMeter? {
    do {
      return try LoudnessMeter(channelCount: SongRenderer.channelCount, rate: rate)
    } catch {
      guard case .meterMissing = error else { throw error }
      return nil
    }
  }

  private var decoder: TextDecoder { TextDecoder(for: song.file.sequences) }
  private var tail: RenderTail { options.tail ?? .auto }

  /// The folder in which the temporary file of a long sound is made.
  private var folder: String? {
    guard output != "-" else { return nil }
    return output.lastIndex(of: "/").map { String(output[...$0]) } ?? "."
  }

  /// Writes the file; returns its frames, or nil when a signal came and nothing was kept.
  func writeMix() throws -> Int64? {
    var bar = ProgressBar(label: song.name, rate: settings.rate)
    defer { bar.clear() }
    let chained = try ChainedSong(part.sequence, settings, options.sound, isLive: false)
    let renderer = try SongRenderer(
      chained.sequence, settings: chained.settings, options: playback, pads: options.sound.pads(),
      instruments: chained.instruments, registry: chained.registry, threadCount: threadCount)
    renderer.tail = tail
    renderer.endFrame = SampleTime(frames: endFrame)
    renderer.acceleration = options.flags.ramp
    // A plug-in may crash or hang when it is freed: by then the file has its name.
    defer { withExtendedLifetime((renderer, chained)) { work.end() } }
    let missing = MissingSounds(renderer, chained)
    options.reading.tell(missing, of: song.name)
    let size = try size(renderer.length().frames)
    // Until here a signal ends the process where it is, whatever is read; a pipe's bytes have no
    // name that would have to be cleaned up.
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
        witness?.hear(samples)
        try writer.write(samples)
        bar.show(progress, adding: samples.count / SongRenderer.channelCount)
        return true
      }
      faulty = report.faultyUnits
    } else {
      let store = SampleStore(folder: folder)
      faulty = try renderer.render(upTo: SampleTime(frames: frameLimit), limiting: false) {
        samples, progress in
        level.measure(samples)
        try store.append(samples)
        bar.show(progress * Self.share, adding: samples.count / SongRenderer.channelCount)
        return signals.signal == nil
      }.faultyUnits
      guard signals.signal == nil else { return nil }
      report = try store.render(
        gain: level.gain(), limiting: limits && !level.isExact, rate: settings.rate
      ) { samples, progress in
        witness?.hear(samples)
        try writer.write(samples)
        bar.show(Self.share + progress * (1 - Self.share))
        return signals.signal == nil
      }
    }
    guard signals.signal == nil else { return nil }
    try writer.finish()
    bar.clear()
    tellLimited(report.lowestGain)
    tellFaulty(faulty)
    if JSONReport.isOn { try tell(writer, report, missing) }
    return try writeTimecode(report.frameCount) ? work.done(report.frameCount) : nil
  }

  /// Writes the timecode beside the sound; false when a signal came.
  private func writeTimecode(_ frameCount: Int64) throws -> Bool {
    guard var timecode else { return true }
    guard try timecode.write(frameCount, until: signals) else { return false }
    guard JSONReport.isOn else { return true }
    try WrittenFile.sound(timecode.path, from: song.name, kind: timecode.format.container).tell()
    return true
  }

  /// Tells other programs of a file.
  private func tell(
    _ writer: SoundFileWriter, _ report: RenderReport, _ missing: MissingSounds
  ) throws {
    var written = try WrittenFile.sound(writer.path, from: song.name, kind: format.container)
    written.add("loudness", Self.number(witness?.integrated))
    written.add("truePeak", Self.number(witness.map { 20 * log10($0.truePeak) }))
    written.add("turnedDown", Self.number(-20 * log10(Double(report.lowestGain))))
    tell(&written, missing)
  }

  private func tell(_ written: inout WrittenFile, _ missing: MissingSounds) {
    missing.add(to: &written)
    written.add(repairsOf: song.file)
    written.tell(song.status)
  }

  /// Decibels, to hundredths; null for what is not known, or silent.
  private static func number(_ decibels: Double?) -> JSONValue {
    guard let decibels, decibels.isFinite else { return .null }
    return .decimal(decibels.decimal(2))
  }

  /// Title, markers, cue points and loop of the song, as far as it is rendered.
  private func metadata(_ renderer: SongRenderer, limit: Int64) throws -> SoundFileMetadata {
    var metadata = SoundFileMetadata()
    if let name = part.sequence.tracks.first?.firstText(.trackName) {
      let title = decoder.text(name).filter { !$0.isNewline }
      if !title.isEmpty { metadata.tags[.title] = title }
    }
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

  /// What is known of the size before the work; tells it, and refuses what there is no room for.
  private func size(_ songFrames: Int64, fileCount: Int = 1) throws -> RenderSize {
    let size = RenderSize(
      songFrames: songFrames, tail: tail, limit: frameLimit, rate: settings.rate)
    // A sound that is measured first is kept as numbers of 4 bytes meanwhile.
    let kept = level.known == nil ? MemoryLayout<Float>.stride : 0
    let bytes = ((format.encoding.bytes ?? 0) + kept) * SongRenderer.channelCount * fileCount
    try size.checkRoom(in: folder ?? "/tmp", bytesPerFrame: bytes, for: output)
    if let notice = size.notice, !options.reading.quiet {
      Terminal.report("\(song.name): \(notice)")
    }
    return size
  }

  private func writer(
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
      channelCount: SongRenderer.channelCount, rate: settings.rate,
      options: options)
  }

  /// Tells which units gave what is no number.
  private func tellFaulty(_ units: [String]) {
    guard !units.isEmpty else { return }
    Terminal.report(
      "\(output): \(units.joined(separator: ", ")): samples that are no numbers, silent now")
  }

  /// Tells what the limiter did, and what would leave it nothing to do; where nobody chose a level
  /// some of its work was reckoned with.
  private func tellLimited(_ lowest: Float) {
    let sound = options.sound
    let isChosen = sound.gain != nil || sound.absoluteGain != nil || options.normalize != nil
    guard lowest < (isChosen ? 1 : Self.unremarkable), !options.reading.quiet else { return }
    let told = (-200 * log10(Double(lowest))).rounded(.up) / 10
    Terminal.report(
      "\(output): turned down by up to \(told) dB where it was too loud"
        + " (try \(level.remedy(for: lowest)))")
  }

  /// A gain of the limiter, −6 dB, down to which peaks are not heard to be turned down.
  private static let unremarkable: Float = 0.5
}

extension RenderJob {
  /// Writes a folder of stems; returns the frames of each, or nil when a signal came and nothing was
  /// kept.
  func writeStems(by choice: StemChoice) throws -> Int64? {
    let chained = try ChainedSong(part.sequence, settings, options.sound, isLive: false)
    let renderer = try StemRenderer(
      chained.sequence, by: choice, settings: chained.settings, options: playback,
      pads: options.sound.pads(), instruments: chained.instruments, registry: chained.registry,
      threadCount: threadCount)
    defer { withExtendedLifetime((renderer, chained)) { work.end() } }
    renderer.tail = tail
    renderer.endFrame = SampleTime(frames: endFrame)
    renderer.acceleration = options.flags.ramp
    let missing = MissingSounds(renderer, chained)
    options.reading.tell(missing, of: song.name)
    let names = StemNames(chained.sequence, decoder).names(of: renderer.stems, format.container)
    let size = try size(renderer.length().frames, fileCount: renderer.stems.count)
    signals.holdForCleanUp()
    let folder = try StemFolder(output, overwrite: options.file.overwrite)
    do {
      guard let frames = try write(renderer, names, into: folder.passing, size) else {
        folder.remove()
        return nil
      }
      try folder.keep()
      if JSONReport.isOn { try tell(names, missing) }
      return try writeTimecode(frames) ? work.done(frames) : nil
    } catch {
      folder.remove()
      throw error
    }
  }

  /// Tells other programs of a folder of stems.
  private func tell(_ names: [String], _ missing: MissingSounds) throws {
    var written = WrittenFile(output, from: song.name, kind: "stems")
    let stems = try names.map { name in
      try WrittenFile.sound("\(output)/\(name)", from: nil, kind: format.container).facts
    }
    written.add("stems", .array(stems))
    tell(&written, missing)
  }

  /// Writes the stems; returns their frames, or nil when a signal came.
  private func write(
    _ renderer: StemRenderer, _ names: [String], into folder: String, _ size: RenderSize
  ) throws -> Int64? {
    let writers = try names.map { try writer("\(folder)/\($0)", frameCount: size.mostFrames) }
    var bar = ProgressBar(label: song.name, rate: settings.rate)
    defer { bar.clear() }
    let faulty: [String]
    if level.known != nil {
      let report = try renderer.render(upTo: SampleTime(frames: frameLimit)) {
        stem, samples, progress in
        guard signals.signal == nil else { return false }
        try writers[stem].write(samples)
        bar.show(progress, adding: stem == 0 ? samples.count / SongRenderer.channelCount : 0)
        return true
      }
      faulty = report.faultyUnits
    } else {
      faulty = try measure(renderer, writers, in: folder, &bar)
    }
    guard signals.signal == nil else { return nil }
    for writer in writers { try writer.finish() }
    bar.clear()
    let clipped = writers.reduce(0) { $0 + $1.clampedSampleCount }
    if clipped > 0, !options.reading.quiet {
      Terminal.report("\(output): \(clipped) samples were too loud and clipped (try --bits float)")
    }
    tellFaulty(faulty)
    return writers.first.map { Int64($0.frameCount) }
  }

  /// Keeps the stems until the level of their sum is known, and writes them then; returns the units
  /// that gave what is no number.
  private func measure(
    _ renderer: StemRenderer, _ writers: [SoundFileWriter], in folder: String,
    _ bar: inout ProgressBar
  ) throws -> [String] {
    // The bound on memory is that of all together.
    let memory = (1 << 24) / max(1, writers.count)
    let stores = writers.map { _ in SampleStore(folder: folder, memoryLimit: memory) }
    var sum: [Float] = []
    let report = try renderer.render(upTo: SampleTime(frames: frameLimit)) {
      stem, samples, progress in
      try stores[stem].append(samples)
      if stem == 0 { sum = Array(repeating: 0, count: samples.count) }
      Self.add(samples, to: &sum)
      if stem == stores.count - 1 { level.measure(sum.span) }
      bar.show(
        progress * Self.share, adding: stem == 0 ? samples.count / SongRenderer.channelCount : 0)
      return signals.signal == nil
    }
    guard signals.signal == nil else { return [] }
    try write(stores, to: writers, gain: level.gain(), &bar)
    return report.faultyUnits
  }

  /// How far several files are that are written at once.
  private struct Writing {
    var bar: ProgressBar
    var done = 0.0
    var failure: (any Error)?
  }

  /// Writes what is kept, as many files at once as there are threads.
  private func write(
    _ stores: [SampleStore], to writers: [SoundFileWriter], gain: Float, _ bar: inout ProgressBar
  ) throws {
    let threads = min(threadCount ?? WorkerTeam.processorCount, stores.count)
    let writing = Mutex(Writing(bar: bar))
    try WorkerTeam(threadCount: threads).runOnConsole(stores.count) { index in
      var done = 0.0
      do {
        _ = try stores[index].render(gain: gain, limiting: false, rate: settings.rate) {
          try writers[index].write($0)
          let step = $1 - done
          done = $1
          return writing.withLock { writing in
            writing.done += step / Double(stores.count)
            writing.bar.show(Self.share + writing.done * (1 - Self.share))
            return writing.failure == nil && signals.signal == nil
          }
        }
      } catch {
        writing.withLock { $0.failure = $0.failure ?? error }
      }
    }
    bar = writing.withLock(\.bar)
    if let failure = writing.withLock(\.failure) { throw failure }
  }

  /// Adds samples to as many.
  private static func add(_ samples: Span<Float>, to sum: inout [Float]) {
    for index in samples.indices { sum[index] += samples[index] }
  }
}
