// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Renders a plan as fast as possible, without a device.
///
/// Reference time begins at zero and is exact. Before each quantum the renderer calls your closure,
/// which sends the events of the quantum. The same events always give the same samples.
///
/// - Note: Not real-time safe. One thread at a time.
public final class OfflineRenderer {
  /// The format of the sound.
  public let format: AudioFormat
  /// The first frame that was not passed to `take` yet.
  ///
  /// The silence at the start that is caused by the graph's latency is left out. If the latency
  /// changes later, frames are left out or silence is inserted, so that the following sound keeps
  /// its position.
  public private(set) var position = SampleTime(frames: 0)
  /// The first frame that is not rendered yet.
  public private(set) var rendered = SampleTime(frames: 0)
  /// The peak of the last quantum, as a factor of full scale.
  public private(set) var lastPeak: Float = 0
  /// The number of samples above full scale that were limited.
  public var clampedSampleCount: Int { guardKernel.clampedSampleCount }
  /// The number of NaN, infinite or excessively large samples that became silence.
  public var faultySampleCount: Int {
    plan.faultySampleCount + guardKernel.faultySampleCount
  }

  private let plan: RenderPlan
  private var latency: Int64
  private var guardKernel: GuardKernel
  private var staged: [Float] = []

  /// The number of quanta that are passed on at a time: 4096 frames.
  private static let batch = 64

  /// Creates a renderer at frame 0.
  ///
  /// - Parameters:
  ///   - plan: the plan to render.
  ///   - rate: the sample rate.
  ///   - clamps: true to limit samples to full scale; false for a floating-point file, whose
  ///     samples may exceed full scale.
  public init(plan: RenderPlan, rate: SampleRate, clamps: Bool = true) {
    self.plan = plan
    latency = Int64(plan.latency)
    format = AudioFormat(rate: rate, channelCount: plan.output.channelCount)
    guardKernel = GuardKernel(clamps: clamps)
    staged.reserveCapacity(Self.batch * AudioFormat.quantum * format.channelCount)
  }

  /// The half-open range of reference time that the next quantum covers.
  public var window: ReferenceWindow {
    let end = SampleTime(frames: rendered.frames + Int64(AudioFormat.quantum))
    return format.rate.timeRoundedUp(of: rendered)..<format.rate.timeRoundedUp(of: end)
  }

  /// Renders quanta until the end of the song, or until a limit.
  ///
  /// - Parameters:
  ///   - limit: the position at which rendering stops, even within a quantum.
  ///   - ringsOut: true to render the tail of the graph after the end.
  ///   - prepare: called before each quantum with its window. The closure sends the events of the
  ///     window, and returns false at the end. After false, only the tail of the graph and its
  ///     latency are rendered; `prepare` is still called before each quantum of the tail.
  ///   - take: receives interleaved samples, up to 4096 frames at a time.
  /// - Throws: errors of the closures; samples that were not passed on are then lost. `GraphError`
  ///   if the graph cannot be compiled after a unit's latency has changed.
  /// - Complexity: O(n) in the number of frames.
  public func render(
    upTo limit: SampleTime = .max, ringsOut: Bool = true,
    prepare: (ReferenceWindow) throws -> Bool,
    take: (Span<Float>) throws -> Void
  ) throws {
    var end = limit.frames
    var lastFrame = Int64.max
    while position.frames < end {
      if rendered.frames < lastFrame, try !prepare(window), lastFrame == .max {
        lastFrame = rendered.frames + (ringsOut ? Int64(plan.tail) : 0)
        end = min(end, lastFrame)
      }
      guard position.frames < end else { break }
      try renderQuantum(upTo: end)
      if staged.count >= Self.batch * AudioFormat.quantum * format.channelCount {
        try handOn(take)
      }
    }
    if !staged.isEmpty { try handOn(take) }
  }

  private func renderQuantum(upTo end: Int64) throws(GraphError) {
    if plan.latencyVaries, try plan.followLatencies() { latency = Int64(plan.latency) }
    plan.render(at: rendered)
    guardKernel.guardBus(plan.output)
    // The position of the quantum's first frame without the latency.
    let place = rendered.frames - latency
    let missing = min(max(0, place - position.frames), end - position.frames)
    staged += repeatElement(0, count: Int(missing) * format.channelCount)
    position.frames += missing
    // The range of frames to pass on.
    let first = Int(max(0, position.frames - place))
    let last = Int(min(Int64(AudioFormat.quantum - first), end - position.frames)) + first
    let count = max(0, last - first)
    let start = staged.count
    staged += repeatElement(0, count: count * format.channelCount)
    var highest: Float = 0
    unsafe staged.withUnsafeMutableBufferPointer { staged in
      for channel in 0..<format.channelCount {
        let samples = unsafe plan.output.channel(channel) + first
        var place = start + channel
        for frame in 0..<count {
          let sample = unsafe samples[frame]
          if abs(sample) > highest { highest = abs(sample) }
          unsafe staged[place] = sample
          place += format.channelCount
        }
      }
    }
    lastPeak = highest
    rendered.frames += Int64(AudioFormat.quantum)
    position.frames += Int64(count)
  }

  private func handOn(_ take: (Span<Float>) throws -> Void) throws {
    var samples: [Float] = []
    swap(&samples, &staged)
    try take(samples.span)
    samples.removeAll(keepingCapacity: true)
    swap(&samples, &staged)
  }
}
