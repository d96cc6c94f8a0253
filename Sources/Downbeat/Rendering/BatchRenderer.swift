// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import Realtime
internal import Synchronization

/// Sources rendered on several threads, a batch of quanta at a time, while the graph has the batch
/// before.
///
/// A source is rendered by one thread at a time and in order, so that the sound does not depend
/// on how many threads there are, or on which is faster.
///
/// - Note: One thread at a time.
final class BatchRenderer: @unchecked Sendable {
  // Unchecked: whoever works on a source has claimed it.

  /// The most quanta of a batch: 171 ms at 48 000 Hz, in which sources that have more to do and
  /// those that have less balance out.
  static let batch = 128
  /// The quanta rendered at a time: few, so that no thread waits long for another at a batch's
  /// end, and enough for the source's own data to pay for their way into the cache.
  private static let chunk = 32

  /// A source, and whether it is silent now.
  struct Source {
    let unit: AheadUnit
    let isSilent: () -> Bool

    init(_ unit: any ProcessingUnit, isSilent: @escaping () -> Bool) {
      self.unit = AheadUnit(unit, capacity: 2 * BatchRenderer.batch)
      self.isSilent = isSilent
    }
  }

  /// What of a batch is done, for each source.
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

  /// Takes sources that no other renders.
  ///
  /// - Parameters:
  ///   - sources: the sources.
  ///   - team: who does the work; it does no other.
  init(_ sources: [Source], by team: WorkerTeam) {
    self.sources = sources
    self.team = team
    claims = Mutex(
      Claims(
        silences: Array(repeating: [], count: sources.count),
        isClaimed: Array(repeating: false, count: sources.count)))
  }

  /// Begins to render the next quanta of each source; returns at once.
  ///
  /// - Parameters:
  ///   - startFrame: the position of the first.
  ///   - count: how many, at most `batch`.
  ///   - inRuns: whether several may be made at once; when sources fall silent is known less
  ///     exactly then.
  /// - Precondition: what was begun before is finished.
  func start(at startFrame: Int64, count: Int, inRuns: Bool) {
    claims.withLock { claims in
      claims.startFrame = startFrame
      claims.count = count
      claims.inRuns = inRuns
      for index in sources.indices { claims.silences[index].removeAll(keepingCapacity: true) }
    }
    team.start(team.threadCount) { _ in self.work() }
  }

  /// Lends a hand, and returns when all is rendered.
  ///
  /// - Returns: whether all sources were silent after each quantum.
  func finish() -> [Bool] {
    team.finish()
    return claims.withLock { claims in
      (0..<claims.count).map { quantum in claims.silences.allSatisfy { $0[quantum] } }
    }
  }

  /// Leaves what was begun, and returns when nobody works on it.
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

  /// The next chunk of the source of which least is done; nil where all that is left is claimed.
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
