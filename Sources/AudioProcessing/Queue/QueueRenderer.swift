// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Renders a queue without an output, in reads of any length.
///
/// Before each quantum, completions are called and events are delivered, so a completion can
/// enqueue the next buffer. If the queue runs empty, the next buffer follows the last one without a
/// gap: the silence between them is not rendered. The samples are therefore those of the buffers,
/// even if only one buffer is enqueued at a time.
///
/// If the plan has latency, the silent frames that the latency causes at the start are left out.
/// After the last buffer, the plan is rendered further for its latency and tail.
///
/// - Note: One thread at a time. An output must not render the queue at the same time.
public final class QueueRenderer {
  /// The number of frames that were read.
  public private(set) var position = SampleTime(frames: 0)
  private let queue: SoundQueue
  private let plan: RenderPlan
  /// True if the queue itself is the plan's head, so that its frames are those of the output.
  private let isDirect: Bool
  /// The first frame that was not rendered.
  private var rendered: Int64
  /// Interleaved samples that were rendered, and the number of those that were read.
  private var staged: [Float] = []
  private var taken = 0
  /// Frames that are left out next, since the plan delays its sound; nil before a first sound.
  private var skipped: Int?
  /// Frames of the plan's latency and tail that are still to be rendered when nothing is left.
  private var owed = 0
  /// Frames in a row that were rendered while the queue did not run.
  private var idle: Int64 = 0

  /// Creates a renderer of a queue.
  ///
  /// - Parameters:
  ///   - queue: the queue.
  ///   - plan: a plan that plays the queue, or nil for the queue alone.
  ///   - frame: the frame at which rendering begins, a multiple of 64.
  /// - Throws: `GraphError` if the queue cannot be compiled.
  public init(
    _ queue: SoundQueue, playing plan: RenderPlan? = nil, from frame: SampleTime = .zero
  ) throws(GraphError) {
    self.queue = queue
    (isDirect, rendered) = (plan == nil, frame.frames)
    if let plan {
      self.plan = plan
    } else {
      var graph = AudioGraph()
      try graph.setHead(graph.add(queue))
      self.plan = try graph.compile()
    }
  }

  /// The speed at which the plan plays the queue, above 0; initially 1.
  ///
  /// At a higher speed, the latency that is left out is shorter.
  public var speed = 1.0

  /// The frames by which the plan delays its sound.
  private var delay: Int { Int((Double(plan.latency) / max(0.01, speed)).rounded()) }

  /// The number of channels.
  public var channelCount: Int { plan.output.channelCount }

  /// The first frame that was not rendered yet, in the same count as the frames of the queue's
  /// events.
  public var renderedFrame: SampleTime { SampleTime(frames: rendered) }

  /// True if frames that the queue has played were not read yet.
  public var hasFramesLeft: Bool { staged.count > taken || owed > 0 }

  /// Discards the frames that were rendered but not read.
  ///
  /// Call it when the queue was stopped.
  public func discard() {
    (staged, taken, owed, skipped, idle) = ([], 0, 0, nil, 0)
  }

  /// Reads the next frames of the queue.
  ///
  /// - Parameters:
  ///   - frameCount: the number of frames; 0 or more.
  ///   - prepare: called before each quantum, after completions and events were delivered.
  /// - Returns: interleaved samples; fewer frames if the queue runs out of sound, is paused, or was
  ///   stopped.
  /// - Complexity: O(n) in the number of frames.
  public func read(_ frameCount: Int, prepare: () -> Void = {}) -> [Float] {
    let wanted = max(0, frameCount)
    while (staged.count - taken) / channelCount < wanted {
      queue.deliver()
      prepare()
      guard queue.waitingCount > 0 ? renderQuantum() : renderRest() else { break }
    }
    let count = min(wanted, (staged.count - taken) / channelCount) * channelCount
    let samples = Array(staged[taken..<taken + count])
    taken += count
    if taken > staged.count / 2 {
      staged.removeFirst(taken)
      taken = 0
    }
    position.frames += Int64(count / channelCount)
    return samples
  }

  /// Makes the queue execute waiting commands, without rendering sound.
  ///
  /// Call it for a queue that was stopped, paused or flushed.
  public func settle() {
    _ = renderQuantum()
    queue.deliver()
  }

  /// Renders a quantum; returns whether the queue plays.
  private func renderQuantum() -> Bool {
    plan.render(at: SampleTime(frames: rendered))
    // The last buffer ends the sound, unless another is enqueued.
    let isLast = queue.waitingCount == 0 && isDirect
    let count = isLast ? max(0, queue.lastEnd - rendered) : Int64(AudioFormat.quantum)
    let frames = min(Int(count), AudioFormat.quantum)
    rendered += Int64(AudioFormat.quantum)
    // A plan that has sound in store renders the queue, which then carries out its orders, later.
    idle = queue.isRunning || isLast ? 0 : idle + Int64(AudioFormat.quantum)
    guard idle <= delay else { return false }
    owed = delay + plan.tail
    stage(frames)
    return true
  }

  /// Renders a quantum of what the plan gives after the last sound; false if that is all.
  private func renderRest() -> Bool {
    guard owed > 0 else { return false }
    plan.render(at: SampleTime(frames: rendered))
    rendered += Int64(AudioFormat.quantum)
    let frames = min(owed, AudioFormat.quantum)
    owed -= frames
    stage(frames)
    // Sound that is enqueued from now on is delayed as the first one was.
    if owed == 0 { skipped = nil }
    return true
  }

  /// Keeps the first frames of a quantum, without those before the first sound.
  private func stage(_ frameCount: Int) {
    let late = skipped ?? delay
    let first = min(late, frameCount)
    skipped = late - first
    for frame in first..<frameCount {
      for channel in 0..<channelCount { staged.append(plan.output[channel, frame]) }
    }
  }
}
