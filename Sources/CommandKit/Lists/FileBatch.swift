// SPDX-License-Identifier: Apache-2.0
package import PlayerControl
internal import Realtime
internal import Synchronization
internal import WholeFiles

/// The processing of one or several input files; each result is reported.
package struct FileBatch {
  /// The kind of files, and the verb for reports, such as `rendered`.
  package let kind: ListedFiles
  package let verb: String
  package let entries: [SongEntry]
  package let outputs: BatchOutputs
  package let signals: SignalWatch
  /// The number of threads; nil for one for each processor.
  package let threadCount: Int?
  package let isQuiet: Bool

  /// Creates a batch.
  package init(
    kind: ListedFiles, verb: String, entries: [SongEntry], outputs: BatchOutputs,
    signals: SignalWatch, threadCount: Int?, isQuiet: Bool
  ) {
    self.kind = kind
    self.verb = verb
    self.entries = entries
    self.outputs = outputs
    self.signals = signals
    self.threadCount = threadCount
    self.isQuiet = isQuiet
  }

  /// The result for one file.
  package struct Done {
    package let status: ExitStatus
    /// The length of the sound in the file, in seconds.
    package let seconds: Double
    /// A report on the file, such as its length; nil for none.
    package let facts: String?

    /// Creates a result.
    package init(status: ExitStatus, seconds: Double, facts: String? = nil) {
      self.status = status
      self.seconds = seconds
      self.facts = facts
    }
  }

  /// The results so far.
  private struct Results {
    var tally: Tally
    /// An error that is not about one file and ends the batch.
    var failure: (any Error)?
    var doneCount = 0
    var seconds = 0.0
  }

  /// Processes all files; after a signal, unfinished files are abandoned.
  ///
  /// - Parameters:
  ///   - tally: The status of files that were left out.
  ///   - work: Processes a file, given its index and a number of threads (nil for one for each
  ///     processor); returns nil after a signal. Several threads call it at the same time.
  /// - Returns: The status of all files.
  /// - Throws: The error of a single file; for several files, an error that is not about one file.
  package func run(_ tally: Tally, _ work: (Int, Int?) throws -> Done?) throws -> ExitStatus {
    guard entries.count > 1 else { return try runOne(tally, work) }
    // From here on several files are incomplete.
    signals.holdForCleanUp()
    let start = ContinuousClock.now
    let threadCount = threadCount ?? WorkerTeam.processorCount
    let team = try WorkerTeam(threadCount: min(threadCount, entries.count))
    let results = Mutex(Results(tally: tally))
    team.runOnConsole(entries.count) { index in
      guard signals.signal == nil, results.withLock({ $0.failure == nil }) else { return }
      // Each file gets one thread; the last files get the threads that are left over.
      let isLast = index > entries.count - team.threadCount
      take(index, results) { try work(index, isLast ? threadCount : 1) }
    }
    let (failure, status, done, seconds) = results.withLock {
      ($0.failure, $0.tally.status, $0.doneCount, $0.seconds)
    }
    if let failure { throw failure }
    if done > 0, signals.signal == nil, !isQuiet {
      report(done, seconds, in: (ContinuousClock.now - start) / .seconds(1))
    }
    return status
  }

  private func runOne(
    _ tally: Tally, _ work: (Int, Int?) throws -> Done?
  ) throws -> ExitStatus {
    var tally = tally
    JSONReport.turn(to: entries[0].path, output: outputs.path(at: 0))
    do {
      let done = try work(0, threadCount)
      tally.add(done?.status ?? .failure)
      if let facts = done?.facts, !isQuiet {
        let path = outputs.path(at: 0)
        Terminal.report("\(path == "-" ? "standard output" : path): \(facts)")
      }
    } catch let failure as any FailureDescribing {
      throw entries[0].failure(failure)
    }
    return tally.status
  }

  /// Processes one of several files, and records its result.
  private func take(
    _ index: Int, _ results: borrowing Mutex<Results>, _ work: () throws -> Done?
  ) {
    do {
      guard let done = try work() else { return }
      let count = results.withLock { results in
        results.tally.add(done.status)
        results.doneCount += 1
        results.seconds += done.seconds
        return results.doneCount
      }
      guard !isQuiet else { return }
      Terminal.report(
        "\(outputs.path(at: index)): \(done.facts ?? verb), \(count) of \(entries.count)")
    } catch let failure as any FailureDescribing {
      let named = entries[index].failure(failure)
      Terminal.report("\(named)")
      JSONReport.refuse(named, file: entries[index].path, output: outputs.path(at: index))
      results.withLock { $0.tally.add(named.exitStatus) }
    } catch {
      results.withLock { $0.failure = $0.failure ?? error }
    }
  }

  /// Prints a summary of all files.
  private func report(_ done: Int, _ seconds: Double, in elapsed: Double) {
    let speed = seconds / max(elapsed, 1e-3)
    Terminal.report(
      "\(done) of \(entries.count) \(kind.noun.several) \(verb) in "
        + "\(elapsed.lengthText): "
        + "\(seconds.lengthText) of sound, \(ProgressBar.factor(speed))")
  }

  /// Throws if the output of a file is the input itself, which would be lost.
  package func refuseItself(_ index: Int) throws {
    guard let own = FolderListing.Identity(of: entries[index].path),
      own == FolderListing.Identity(of: outputs.path(at: index))
    else { return }
    throw Failure(
      .noOutput,
      "\(outputs.path(at: index)): is also the input (name another file with -o)")
  }
}
