// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import CommandKit
internal import CommandOptions
internal import Downbeat
internal import JSONText
internal import MusicalTime
internal import PlayerControl
internal import Realtime
internal import Synchronization

extension RenderJob {
  /// Writes a folder of stems.
  ///
  /// After a signal, the folder is removed and the result is nil.
  func writeStems(by choice: StemChoice) throws -> FileBatch.Done? {
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
      return try writeTimecode(frames) ? work.done(done(frames)) : nil
    } catch {
      folder.remove()
      throw error
    }
  }

  /// Reports a folder of stems as JSON.
  private func tell(_ names: [String], _ missing: MissingSounds) throws {
    var written = WrittenFile(output, from: song.name, kind: "stems")
    let stems = try names.map { name in
      try WrittenFile.sound("\(output)/\(name)", from: nil, kind: format.container).facts
    }
    written.add("stems", .array(stems))
    tell(&written, missing)
  }

  /// Writes the stems and returns the number of frames; nil after a signal.
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
        try channels.withFrames(of: samples) { try writers[stem].write($0) }
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
      Terminal.report("\(output): \(clipped) samples were clipped (try --bits float)")
    }
    tellFaulty(faulty)
    return writers.first.map { Int64($0.frameCount) }
  }

  /// Stores the stems until the level of their sum is known, then writes them.
  ///
  /// Returns the names of the effects whose output contained NaN or infinity.
  private func measure(
    _ renderer: StemRenderer, _ writers: [SoundFileWriter], in folder: String,
    _ bar: inout ProgressBar
  ) throws -> [String] {
    // The memory limit is for all stems together.
    let memory = (1 << 24) / max(1, writers.count)
    let stores = writers.map { _ in SampleStore(folder: folder, memoryLimit: memory) }
    var sum: [Float] = []
    let report = try renderer.render(upTo: SampleTime(frames: frameLimit)) {
      stem, samples, progress in
      try stores[stem].append(samples)
      if stem == 0 { sum = Array(repeating: 0, count: samples.count) }
      Self.add(samples, to: &sum)
      if stem == stores.count - 1 { channels.withFrames(of: sum.span) { level.measure($0) } }
      bar.show(
        progress * Self.share, adding: stem == 0 ? samples.count / SongRenderer.channelCount : 0)
      return signals.signal == nil
    }
    guard signals.signal == nil else { return [] }
    try write(stores, to: writers, gain: level.gain(), &bar)
    return report.faultyUnits
  }

  /// The progress of several files that are written at the same time.
  private struct Writing {
    var bar: ProgressBar
    var done = 0.0
    var failure: (any Error)?
  }

  /// Writes the stored stems, one file per thread at a time.
  private func write(
    _ stores: [SampleStore], to writers: [SoundFileWriter], gain: Float, _ bar: inout ProgressBar
  ) throws {
    let threads = min(threadCount ?? WorkerTeam.processorCount, stores.count)
    let writing = Mutex(Writing(bar: bar))
    try WorkerTeam(threadCount: threads).runOnConsole(stores.count) { index in
      var done = 0.0
      do {
        _ = try stores[index].render(gain: gain, limiting: false, rate: settings.rate) {
          try channels.withFrames(of: $0) { try writers[index].write($0) }
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

  /// Adds samples to a sum of the same length.
  private static func add(_ samples: Span<Float>, to sum: inout [Float]) {
    for index in samples.indices { sum[index] += samples[index] }
  }
}
