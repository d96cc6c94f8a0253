// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import Downbeat
internal import Glibc
internal import JSONText
internal import Realtime
internal import Synchronization
internal import WholeFiles

/// Sounds on their way to other files: one, or several at once.
struct SoundConvertBatch {
  let options: SoundConvert
  let sounds: [SongEntry]
  let outputs: BatchOutputs
  let signals: SignalWatch

  /// What has become of the sounds so far.
  private struct Results {
    var tally: Tally
    /// What ends all, as it has nothing to do with a sound.
    var failure: (any Error)?
    var doneCount = 0
  }

  /// Converts all sounds; where a signal comes, what is not finished is given up.
  ///
  /// - Parameter tally: the status of what is left out already.
  /// - Returns: the status of all.
  /// - Throws: why one sound alone was not converted; of several what has nothing to do with a sound.
  func run(_ tally: Tally) throws -> ExitStatus {
    var tally = tally
    guard sounds.count > 1 else {
      JSONReport.turn(to: sounds[0].path, output: outputs.path(at: 0))
      do {
        tally.add(try convert(0))
      } catch let failure as any FailureDescribing {
        throw sounds[0].failure(failure)
      }
      return tally.status
    }
    // From here on several are half written.
    signals.holdForCleanUp()
    let threadCount = options.threads ?? WorkerTeam.processorCount
    let team = try WorkerTeam(threadCount: min(threadCount, sounds.count))
    let results = Mutex(Results(tally: tally))
    team.run(sounds.count) { index in
      guard signals.signal == nil, results.withLock({ $0.failure == nil }) else { return }
      take(index, results)
    }
    let (failure, status) = results.withLock { ($0.failure, $0.tally.status) }
    if let failure { throw failure }
    return status
  }

  /// Converts one of several sounds, and notes what becomes of it.
  private func take(_ index: Int, _ results: borrowing Mutex<Results>) {
    do {
      let status = try convert(index)
      guard signals.signal == nil else { return }
      let done = results.withLock { results in
        results.tally.add(status)
        results.doneCount += 1
        return results.doneCount
      }
      guard !options.quiet else { return }
      Terminal.report("\(outputs.path(at: index)): converted, \(done) of \(sounds.count)")
    } catch let failure as any FailureDescribing {
      let named = sounds[index].failure(failure)
      Terminal.report("\(named)")
      JSONReport.refuse(named, file: sounds[index].path, output: outputs.path(at: index))
      results.withLock { $0.tally.add(named.exitStatus) }
    } catch {
      results.withLock { $0.failure = $0.failure ?? error }
    }
  }

  /// Converts a sound; `failure` where a signal came.
  private func convert(_ index: Int) throws -> ExitStatus {
    let (path, output) = (sounds[index].path, outputs.path(at: index))
    let format = try options.file.format(for: output)
    try options.codec.check(format)
    try refuse(path, output)
    let isPipe = output == "-"
    let source = try SoundSource(path).open()
    // Until here, and where a pipe takes it, there is nothing to clean up, and much to wait for.
    if !isPipe { signals.holdForCleanUp() }
    var bar = ProgressBar(label: path)
    defer { bar.clear() }
    let done = try conversion(to: format).run(
      from: source, to: isPipe ? "standard output" : output,
      descriptor: isPipe ? STDOUT_FILENO : nil
    ) { part in
      bar.show(part)
      return signals.signal == nil
    }
    bar.clear()
    guard let done else { return .failure }
    if JSONReport.isOn { try tell(done, format, of: source.path, output) }
    report(done, of: source.path, output)
    return done.shortfall == nil ? .success : .partial
  }

  /// Refuses a name that is taken; a sound is not to be lost to what is made of it.
  private func refuse(_ path: String, _ output: String) throws {
    try options.file.check(output)
    guard let sound = FolderListing.Identity(of: path) else { return }
    guard sound != FolderListing.Identity(of: output) else {
      throw Failure(.noOutput, "\(output): is the sound itself (name another file with -o)")
    }
  }

  private func conversion(to format: SoundFileFormat) -> SoundFileConversion {
    var conversion = SoundFileConversion(to: format)
    conversion.rate = options.rate?.rate
    conversion.channelCount = options.channels
    conversion.dither = options.file.dither
    conversion.mayReplace = options.file.overwrite
    conversion.isStrict = options.strict
    conversion.gain = Double(options.gain.factor)
    conversion.codecBitrate = options.codec.bitrate?.bits
    conversion.codecQuality = options.codec.quality
    return conversion
  }

  /// Says what was lost.
  private func report(_ done: SoundFileConversion.Report, of name: String, _ output: String) {
    guard !options.quiet else { return }
    let count = done.clampedSampleCount
    if count > 0 {
      Terminal.report("\(output): \(count) samples were too loud and clipped (try --gain -3dB)")
    }
    if let shortfall = done.shortfall { Terminal.report("\(name): \(shortfall)") }
  }

  /// Tells other programs of a file.
  private func tell(
    _ done: SoundFileConversion.Report, _ format: SoundFileFormat, of name: String,
    _ output: String
  ) throws {
    var written = try WrittenFile.sound(output, from: name, kind: format.container)
    written.add("clippedSamples", .integer(done.clampedSampleCount))
    written.add("shortfall", JSONReport.text(done.shortfall.map { "\($0)" }))
    written.tell(done.shortfall == nil ? .success : .partial)
  }
}
