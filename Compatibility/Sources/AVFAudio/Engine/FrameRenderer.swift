// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import MusicalTime

/// Renders a graph for calls of the program.
///
/// - Note: One thread at a time.
protocol FrameRenderer: AnyObject {
  /// Renders interleaved frames of two channels.
  ///
  /// - Parameters:
  ///   - count: The number of frames.
  ///   - prepare: Is called before each quantum, with its time, if the renderer is offline.
  ///   - take: Receives the frames, at most 4096 at a time.
  /// - Throws: `GraphError` if a unit has changed its latency.
  func render(
    _ count: Int, prepare: (ReferenceWindow) -> Void, take: (Span<Float>) -> Void
  ) throws
}

/// The sound of an `OfflineRenderer`, in calls of any length.
final class OfflineFrames: FrameRenderer {
  private let renderer: OfflineRenderer
  /// Frames that were rendered and not taken.
  private var ready: [Float] = []

  init(_ plan: RenderPlan, rate: SampleRate) {
    renderer = OfflineRenderer(plan: plan, rate: rate, clamps: false)
  }

  func render(
    _ count: Int, prepare: (ReferenceWindow) -> Void, take: (Span<Float>) -> Void
  ) throws {
    let missing = count - ready.count / 2
    if missing > 0 {
      let quantum = AudioFormat.quantum
      let whole = (missing + quantum - 1) / quantum * quantum
      let limit = SampleTime(frames: renderer.position.frames + Int64(whole))
      try renderer.render(
        upTo: limit,
        prepare: { window in
          prepare(window)
          return true
        },
        take: { samples in
          ready += samples.indices.map { samples[$0] }
        })
    }
    let samples = Array(ready.prefix(2 * count))
    ready.removeFirst(samples.count)
    take(samples.span)
  }
}

/// The sound of a graph under the conditions of a real-time thread.
///
/// It does not allocate, lock or wait.
@safe
final class PulledFrames: FrameRenderer {
  private let output: ProgramOutput
  private let samples: UnsafeMutablePointer<Float>
  private let capacity: Int

  init(_ plan: RenderPlan, rate: SampleRate, maximumFrames: Int) {
    output = ProgramOutput(plan, rate: rate, clamps: false)
    capacity = min(4096, max(1, maximumFrames))
    unsafe samples = .allocate(capacity: 2 * capacity)
    unsafe samples.initialize(repeating: 0, count: 2 * capacity)
  }

  deinit {
    unsafe samples.deallocate()
  }

  func render(
    _ count: Int, prepare: (ReferenceWindow) -> Void, take: (Span<Float>) -> Void
  ) {
    var rest = count
    while rest > 0 {
      let frames = min(rest, capacity)
      var span = unsafe MutableSpan(_unsafeStart: samples, count: 2 * frames)
      output.read(into: &span)
      take(span.span)
      rest -= frames
    }
  }
}
