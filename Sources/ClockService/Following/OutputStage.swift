// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// Turns an estimate that is corrected at every tick into a timeline without jumps.
///
/// The published position approaches the estimate with a time constant of 40 ms and at most a quarter
/// of the speed; while the tempo moves, within one tick and at 0.02 to 1.9 times the speed. It never runs
/// backwards except at a jump. What was handed out is never changed afterwards.
struct OutputStage<Count: BitwiseCopyable & Sendable>: BitwiseCopyable, Sendable {
  private var line: SlewedLine

  /// How many times the position went elsewhere.
  var epoch: UInt32 { line.epoch }

  /// Creates a stage; `farthest` is by how many counts the estimate may be ahead or behind before
  /// a jump is the lesser evil.
  init(farthest: Double) {
    line = SlewedLine(farthest: farthest)
  }

  /// Begins at an instant, on the line.
  mutating func start(along line: TickLine, at time: HostTime) {
    self.line.start(along: line, at: time)
  }

  /// Ceases; nothing is published until the next start.
  mutating func stop() { line.stop() }

  /// Takes a better line, known at an instant.
  ///
  /// - Returns: Whether the position jumped.
  mutating func follow(_ line: TickLine, at time: HostTime) -> Bool {
    self.line.follow(line, at: time)
  }

  /// Goes elsewhere at an instant.
  mutating func jump(to line: TickLine, at time: HostTime) {
    self.line.jump(to: line, at: time)
  }

  /// Calls `body` with each piece of a window, in order, and takes what it covers as handed out.
  mutating func forEachPiece(
    of window: HostWindow, _ body: (HostWindow, Timeline<Count, HostTime>) throws -> Void
  ) rethrows {
    try line.forEachPiece(of: window) { part, piece in try body(part, piece.timeline()) }
  }

  /// When the tempo will be taken to have fallen unless a tick comes; nil where it will not.
  func slowsDown(after time: HostTime) -> HostTime? { line.slowsDown(after: time) }

  /// The last count on the line that is followed at an instant, and its period in nanoseconds.
  func lastCount(at time: HostTime) -> (count: Int64, period: Double)? {
    line.lastCount(at: time)
  }

  /// The piece that holds at an instant, as far as is known now.
  func timeline(at time: HostTime) -> Timeline<Count, HostTime>? {
    line.piece(at: time)?.timeline()
  }

  /// The piece with which a window from an instant on begins.
  func piece(at time: HostTime) -> Timeline<Count, HostTime>? {
    line.firstPiece(from: time)?.timeline()
  }
}
