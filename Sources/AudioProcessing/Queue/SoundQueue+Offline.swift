// SPDX-License-Identifier: Apache-2.0
public import MusicalTime
internal import Synchronization

extension SoundQueue {
  /// Starts the queue and renders it as fast as possible, until it is empty, stopped or paused.
  ///
  /// Completions and events are delivered before each quantum, so a completion can enqueue the next
  /// buffer. Frames are counted from 0. The last frame passed on is the last frame of sound.
  ///
  /// - Parameters:
  ///   - limit: the frame at which rendering stops, even within a quantum.
  ///   - take: receives interleaved samples, up to 4096 frames at a time.
  /// - Returns: the number of rendered frames.
  /// - Throws: `SoundQueueError.notRendered` if too many commands wait; errors of the closure.
  /// - Precondition: the queue is not rendered by an output at the same time.
  /// - Complexity: O(n) in the number of frames.
  @discardableResult
  public func renderOffline(
    upTo limit: SampleTime = .max, take: (Span<Float>) throws -> Void
  ) throws -> SampleTime {
    var graph = AudioGraph()
    try graph.setHead(graph.add(self))
    let plan = try graph.compile()
    try start()
    var staged: [Float] = []
    var position: Int64 = 0
    while position < limit.frames, waitingCount > 0, position == 0 || isRunning {
      plan.render(at: SampleTime(frames: position))
      deliver()
      let next = position + Int64(AudioFormat.quantum)
      let end = min(limit.frames, waitingCount > 0 ? next : min(next, lastEnd))
      Self.append(plan.output, Int(end - position), to: &staged)
      position = end
      if staged.count >= 4096 * plan.output.channelCount { try Self.handOn(&staged, take) }
    }
    if !staged.isEmpty { try Self.handOn(&staged, take) }
    return SampleTime(frames: position)
  }

  private static func append(_ bus: Bus, _ frameCount: Int, to staged: inout [Float]) {
    for frame in 0..<frameCount {
      for channel in 0..<bus.channelCount { staged.append(bus[channel, frame]) }
    }
  }

  private static func handOn(
    _ staged: inout [Float], _ take: (Span<Float>) throws -> Void
  ) throws {
    try take(staged.span)
    staged.removeAll(keepingCapacity: true)
  }
}
