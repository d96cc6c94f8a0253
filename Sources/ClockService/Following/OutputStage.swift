// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// Converts an estimate that is corrected at every tick to a timeline without jumps.
///
/// The published position approaches the estimate with a time constant of 40 ms and at most a
/// quarter of the speed. While the tempo varies, it does so within one tick and at 0.02 to 1.9
/// times the speed. It never runs backwards except at a jump. Segments that were read are never
/// changed afterwards.
struct OutputStage<Count: BitwiseCopyable & Sendable>: BitwiseCopyable, Sendable {
  private var line: SlewedLine

  /// The number of jumps of the position.
  var epoch: UInt32 { line.epoch }

  /// Creates a stage; `farthest` is the largest distance of the estimate in counts, beyond which
  /// the position jumps.
  init(farthest: Double) {
    line = SlewedLine(farthest: farthest)
  }

  /// Begins at an instant, on the line.
  mutating func start(along line: TickLine, at time: HostTime) {
    self.line.start(along: line, at: time)
  }

  /// Stops; until the next start, segments are not available.
  mutating func stop() { line.stop() }

  /// Follows a corrected line, from an instant.
  ///
  /// - Returns: True if the position jumped.
  mutating func follow(_ line: TickLine, at time: HostTime) -> Bool {
    self.line.follow(line, at: time)
  }

  /// Jumps to a line at an instant.
  mutating func jump(to line: TickLine, at time: HostTime) {
    self.line.jump(to: line, at: time)
  }

  /// Calls `body` for each segment of a window, in order; the window is not changed afterwards.
  mutating func forEachPiece(
    of window: HostWindow, _ body: (HostWindow, Timeline<Count, HostTime>) throws -> Void
  ) rethrows {
    try line.forEachPiece(of: window) { part, piece in try body(part, piece.timeline()) }
  }

  /// The time at which the tempo is assumed to have fallen unless a tick arrives; nil if it is not.
  func slowsDown(after time: HostTime) -> HostTime? { line.slowsDown(after: time) }

  /// The last count of the followed line at an instant, and its period in nanoseconds.
  func lastCount(at time: HostTime) -> (count: Int64, period: Double)? {
    line.lastCount(at: time)
  }

  /// The segment at an instant, as far as is known now.
  func timeline(at time: HostTime) -> Timeline<Count, HostTime>? {
    line.piece(at: time)?.timeline()
  }

  /// The first segment of a window that begins at an instant.
  func piece(at time: HostTime) -> Timeline<Count, HostTime>? {
    line.firstPiece(from: time)?.timeline()
  }
}
