// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
public import MusicalTime

extension SampleStore {
  /// Passes the stored samples, multiplied by a gain and optionally limited, to a closure.
  ///
  /// - Parameters:
  ///   - gain: A linear factor.
  ///   - limiting: True to limit peaks, including peaks between samples, to −1 dBFS.
  ///   - rate: The sample rate.
  ///   - take: Receives interleaved samples of two channels, and the progress, 0…1; returns false
  ///     to stop.
  /// - Returns: The number of frames, and the work of the limiter.
  /// - Throws: The errors of `take`; `OutputFileError` if stored samples cannot be read.
  /// - Complexity: O(n) in the number of samples.
  public func render(
    gain: Float, limiting: Bool, rate: SampleRate,
    _ take: (Span<Float>, Double) throws -> Bool
  ) throws -> RenderReport {
    limiting ? try limit(gain, rate, take) : try scale(gain, take)
  }

  private func scale(
    _ gain: Float, _ take: (Span<Float>, Double) throws -> Bool
  ) throws -> RenderReport {
    var done = 0
    try forEach { samples in
      let scaled = samples.indices.map { samples[$0] * gain }
      done += samples.count
      return try take(scaled.span, Double(done) / Double(count))
    }
    return RenderReport(
      frameCount: Int64(done / SessionMix.channelCount), faultySampleCount: 0,
      limitedFrameCount: 0, lowestGain: 1)
  }

  private func limit(
    _ gain: Float, _ rate: SampleRate, _ take: (Span<Float>, Double) throws -> Bool
  ) throws -> RenderReport {
    let source = StoredSource(self, gain: gain)
    let limiter = LimiterUnit(ceiling: SessionMix.ceiling, rate: rate)
    var graph = AudioGraph()
    let head = graph.add(limiter)
    try graph.connect(graph.add(source.unit), to: head)
    try graph.setHead(head)
    let renderer = OfflineRenderer(plan: try graph.compile(), rate: rate)
    let frameCount = Int64(count / SessionMix.channelCount)
    var goesOn = true
    defer { withExtendedLifetime(source) {} }
    try renderer.render(upTo: SampleTime(frames: frameCount)) { _ in
      guard goesOn else { return false }
      try source.fill()
      return true
    } take: { samples in
      goesOn = try take(samples, Double(renderer.position.frames) / Double(max(1, frameCount)))
    }
    return RenderReport(
      frameCount: renderer.position.frames, faultySampleCount: renderer.faultySampleCount,
      limitedFrameCount: limiter.limitedFrameCount, lowestGain: limiter.lowestGain)
  }
}

/// A source of a graph that plays the samples of a store, one quantum at a time.
@safe
private final class StoredSource {
  private let store: SampleStore
  private let gain: Float
  private var position = SampleStore.Position()
  private var chunk: [Float] = []
  private var taken = 0
  /// The frames of the next quantum, interleaved.
  private let quantum: UnsafeMutablePointer<Float>

  private static let count = SessionMix.channelCount * AudioFormat.quantum

  init(_ store: SampleStore, gain: Float) {
    self.store = store
    self.gain = gain
    unsafe quantum = .allocate(capacity: Self.count)
    unsafe quantum.initialize(repeating: 0, count: Self.count)
  }

  deinit {
    unsafe quantum.deallocate()
  }

  /// Prepares the next quantum; it is silent after the end.
  func fill() throws {
    for index in 0..<Self.count {
      if taken == chunk.count {
        chunk = try store.next(after: &position)
        taken = 0
      }
      unsafe quantum[index] = taken < chunk.count ? chunk[taken] * gain : 0
      taken = min(taken + 1, chunk.count)
    }
  }

  /// The unit; it must not outlive this source.
  var unit: FunctionUnit {
    unsafe FunctionUnit(
      name: "stored sound", outputs: [SessionMix.channelCount], context: quantum
    ) { context, block in
      let samples = unsafe context.assumingMemoryBound(to: Float.self)
      let bus = unsafe block.assumingMemoryBound(to: RenderBlock.self).pointee.output(0)
      for frame in 0..<AudioFormat.quantum {
        unsafe bus.channel(0)[frame] = samples[2 &* frame]
        unsafe bus.channel(1)[frame] = samples[2 &* frame &+ 1]
      }
    }
  }
}
