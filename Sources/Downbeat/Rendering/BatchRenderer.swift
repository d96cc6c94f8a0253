// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import Realtime
internal import Synchronization

/// Renders sources on several threads, one batch of quanta ahead of the graph.
///
/// A source is rendered by one thread at a time and in order, so the sound does not depend on the
/// number or speed of threads.
///
/// - Note: One thread at a time.
final class BatchRenderer: @unchecked Sendable {
  // Unchecked: a thread claims a source before it works on it.

  /// The maximum number of quanta in a batch: 171 ms at 48 000 Hz, in which the different loads of
  /// sources even out.
  static let batch = 128
  /// The quanta rendered at a time: few, so that no thread waits long for another at the end of a
  /// batch, and enough to make good use of the cache.
  private static let chunk = 32

  /// A source, and a function that returns true while it is silent.
  struct Source {
    let unit: AheadUnit
    let isSilent: () -> Bool

    init(_ unit: any ProcessingUnit, isSilent: @escaping () -> Bool) {
      self.unit = AheadUnit(unit, capacity: 2 * BatchRenderer.batch)
      self.isSilent = isSilent
    }
  }

  /// The progress of a batch, for each source.
  private struct Claims {
    var startFrame: Int64 = 0
    var count = 0
    var inRuns = false
    var silences: [[Bool]]
    var isClaimed: [Bool]
  }

  private let sources: [Source]
  private let team: WorkerTeam
  private let claims: Mutex<Claims>

  /// Creates a renderer for sources that are not rendered elsewhere.
  ///
  /// - Parameters:
  ///   - sources: The sources.
  ///   - team: The threads, used only for this.
  init(_ sources: [Source], by team: WorkerTeam) {
    self.sources = sources
    self.team = team
    claims = Mutex(
      Claims(
        silences: Array(repeating: [], count: sources.count),
        isClaimed: Array(repeating: false, count: sources.count)))
  }

  /// Begins to render the next quanta of each source; returns immediately.
  ///
  /// - Parameters:
  ///   - startFrame: The position of the first quantum, in frames.
  ///   - count: The number of quanta, at most `batch`.
  ///   - inRuns: True to allow rendering of several quanta at once; the time at which sources
  ///     become silent is then less exact.
  /// - Precondition: The previous batch is finished.
  func start(at startFrame: Int64, count: Int, inRuns: Bool) {
    claims.withLock { claims in
      claims.startFrame = startFrame
      claims.count = count
      claims.inRuns = inRuns
      for index in sources.indices { claims.silences[index].removeAll(keepingCapacity: true) }
    }
    team.start(team.threadCount) { _ in self.work() }
  }

  /// Helps with the work, and returns when the batch is rendered.
  ///
  /// - Returns: For each quantum, true if all sources were silent after it.
  func finish() -> [Bool] {
    team.finish()
    return claims.withLock { claims in
      (0..<claims.count).map { quantum in claims.silences.allSatisfy { $0[quantum] } }
    }
  }

  /// Abandons the batch, and returns when no thread works on it.
  func abandon() {
    claims.withLock { $0.count = 0 }
    team.finish()
  }

  private func work() {
    while let (index, startFrame, count, inRuns) = claim() {
      let source = sources[index]
      let silences = source.unit.renderAhead(
        startFrame: startFrame, count: count, inRuns: inRuns
      ) { source.isSilent() }
      claims.withLock { claims in
        claims.silences[index] += silences
        claims.isClaimed[index] = false
      }
    }
  }

  /// Claims the next chunk of the source with the least progress; nil if all remaining work is
  /// claimed.
  private func claim() -> (index: Int, startFrame: Int64, count: Int, inRuns: Bool)? {
    claims.withLock { claims in
      let free = sources.indices.filter {
        !claims.isClaimed[$0] && claims.silences[$0].count < claims.count
      }
      guard let index = free.min(by: { claims.silences[$0].count < claims.silences[$1].count })
      else { return nil }
      claims.isClaimed[index] = true
      let done = claims.silences[index].count
      return (
        index, claims.startFrame + Int64(done * AudioFormat.quantum),
        min(Self.chunk, claims.count - done), claims.inRuns
      )
    }
  }
}
