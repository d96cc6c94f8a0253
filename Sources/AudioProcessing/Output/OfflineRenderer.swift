// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Renders a plan as fast as it goes, in an exact reference time that begins at zero.
///
/// It has neither clock nor player: before each quantum it asks its caller to send the events that
/// fall into the quantum. The same events give the same samples, whatever the load.
///
/// - Note: Not real-time safe. One thread at a time.
public final class OfflineRenderer {
  /// The format of what is rendered.
  public let format: AudioFormat
  /// The first frame that has not been handed on.
  ///
  /// The silence with which a graph with latency begins is left out; where its latency changes, frames
  /// are left out or silence is put in, so that what follows is where it belongs.
  public private(set) var position = SampleTime(frames: 0)
  /// The first frame that no unit has rendered.
  public private(set) var rendered = SampleTime(frames: 0)
  /// The highest sample of the last quantum, as a factor of full scale.
  public private(set) var lastPeak: Float = 0
  /// Samples that were above full scale and were brought down to it.
  public var clampedSampleCount: Int { guardKernel.clampedSampleCount }
  /// Samples that were not numbers and became silence.
  public var faultySampleCount: Int {
    plan.faultySampleCount + guardKernel.faultySampleCount
  }

  private let plan: RenderPlan
  private var latency: Int64
  private var guardKernel: GuardKernel
  private var staged: [Float] = []

  /// Quanta that are handed on together: 4096 frames.
  private static let batch = 64

  /// Creates a renderer at frame 0.
  ///
  /// - Parameters:
  ///   - plan: what to render.
  ///   - rate: frames a second.
  ///   - clamps: whether samples above full scale are brought down to it; false for a file of
  ///     single precision.
  public init(plan: RenderPlan, rate: SampleRate, clamps: Bool = true) {
    self.plan = plan
    latency = Int64(plan.latency)
    format = AudioFormat(rate: rate, channelCount: plan.output.channelCount)
    guardKernel = GuardKernel(clamps: clamps)
    staged.reserveCapacity(Self.batch * AudioFormat.quantum * format.channelCount)
  }

  /// The reference time of the quantum that is rendered next.
  public var window: ReferenceWindow {
    let end = SampleTime(frames: rendered.frames + Int64(AudioFormat.quantum))
    return format.rate.timeRoundedUp(of: rendered)..<format.rate.timeRoundedUp(of: end)
  }

  /// Renders quantum after quantum until there is no more, or a number of frames is reached.
  ///
  /// - Parameters:
  ///   - limit: the position at which to stop, within a quantum if need be.
  ///   - ringsOut: whether the tail of the graph follows the end.
  ///   - prepare: called before each quantum with its window; sends what falls into it and returns
  ///     whether to render it. After false nothing follows but the graph's tail, before whose
  ///     quanta it is called too, and what the graph holds back by its latency.
  ///   - take: takes interleaved samples, up to 4096 frames at a time.
  /// - Throws: what the two closures throw; samples not yet handed on are lost then. `GraphError` where
  ///   a unit changes its latency so that the graph cannot be compiled.
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
    // What the quantum's first frame is a frame of.
    let place = rendered.frames - latency
    let missing = min(max(0, place - position.frames), end - position.frames)
    staged += repeatElement(0, count: Int(missing) * format.channelCount)
    position.frames += missing
    // The frames of this quantum that are wanted.
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
