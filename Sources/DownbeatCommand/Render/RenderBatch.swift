// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import Downbeat
internal import Realtime
internal import Synchronization
internal import WholeFiles

/// Songs on their way to sound files: one, or several at once.
struct RenderBatch {
  let options: Render
  let songs: [SongEntry]
  let outputs: BatchOutputs
  let settings: SessionSettings
  let signals: SignalWatch

  /// What has become of the songs so far.
  private struct Results {
    var tally: Tally
    /// What ends all, as it has nothing to do with a song.
    var failure: (any Error)?
    var doneCount = 0
  }

  /// Renders all songs; where a signal comes, what is not finished is given up.
  ///
  /// - Parameter tally: the status of what is left out already.
  /// - Returns: the status of all.
  /// - Throws: why one song alone was not rendered; of several what has nothing to do with a song.
  func run(_ tally: Tally) throws -> ExitStatus {
    var tally = tally
    guard songs.count > 1 else {
      JSONReport.turn(to: songs[0].path, output: outputs.path(at: 0))
      do {
        tally.add(try render(0, threadCount: options.threads))
      } catch let failure as any FailureDescribing {
        throw songs[0].failure(failure)
      }
      return tally.status
    }
    // From here on several are half written.
    signals.holdForCleanUp()
    let threadCount = options.threads ?? WorkerTeam.processorCount
    let team = try WorkerTeam(threadCount: min(threadCount, songs.count))
    let results = Mutex(Results(tally: tally))
    team.run(songs.count) { index in
      guard signals.signal == nil, results.withLock({ $0.failure == nil }) else { return }
      // As long as there is a song for each thread, one renders it; the last have those left over.
      let isLast = index > songs.count - team.threadCount
      take(index, threadCount: isLast ? threadCount : 1, results)
    }
    let (failure, status) = results.withLock { ($0.failure, $0.tally.status) }
    if let failure { throw failure }
    return status
  }

  /// Renders one of several songs, and notes what becomes of it.
  private func take(_ index: Int, threadCount: Int, _ results: borrowing Mutex<Results>) {
    do {
      let status = try render(index, threadCount: threadCount)
      guard signals.signal == nil else { return }
      let done = results.withLock { results in
        results.tally.add(status)
        results.doneCount += 1
        return results.doneCount
      }
      guard !options.reading.quiet else { return }
      Terminal.report("\(outputs.path(at: index)): rendered, \(done) of \(songs.count)")
    } catch let failure as any FailureDescribing {
      let named = songs[index].failure(failure)
      Terminal.report("\(named)")
      JSONReport.refuse(named, file: songs[index].path, output: outputs.path(at: index))
      results.withLock { $0.tally.add(named.exitStatus) }
    } catch {
      results.withLock { $0.failure = $0.failure ?? error }
    }
  }

  /// Renders a song; `failure` where a signal came.
  private func render(_ index: Int, threadCount: Int?) throws -> ExitStatus {
    let (path, output) = (songs[index].path, outputs.path(at: index))
    let format =
      try options.stems == nil ? options.file.format(for: output) : options.file.stemFormat()
    try options.codec.check(format)
    let song = try options.reading.read(path)
    let part = try PlaybackPart(options.flags.sequence(of: song), options.flags)
    try refuse(path, output)
    let job = try RenderJob(
      song: song, part: part, settings: settings, format: format, output: output,
      options: options, signals: signals, threadCount: threadCount)
    guard try options.stems.map(job.writeStems) ?? job.writeMix() else { return .failure }
    return song.status
  }

  /// Refuses a name that is taken; the song is not to be lost to its sound.
  private func refuse(_ path: String, _ output: String) throws {
    if options.stems == nil { try options.file.check(output) }
    guard let song = FolderListing.Identity(of: path) else { return }
    guard song != FolderListing.Identity(of: output) else {
      throw Failure(.noOutput, "\(output): is the song itself (name another file with -o)")
    }
  }
}

extension SoundFileOptions {
  /// The kind of file that stems are.
  fileprivate func stemFormat() throws -> SoundFileFormat {
    try SoundFileFormat(format ?? .wav, bits)
  }
}
