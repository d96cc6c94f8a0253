// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// An output in a program's own hands, which asks for frames when it wants them.
///
/// What is no number becomes silence. Blocks of any length are cut from the same quanta, so that the sound does not depend on their length.
///
/// - Note: One thread at a time; `read` is real-time safe.
@safe
public final class ProgramOutput: @unchecked Sendable {
  // Unchecked: it is handed over whole; one thread uses it at a time.

  /// The format of what comes out.
  public let format: AudioFormat
  private let plan: RenderPlan
  // The plan without a count of references, which would be a lock.
  private let pulled: Unmanaged<RenderPlan>
  private let output: Bus
  private let state: UnsafeMutablePointer<State>

  private struct State: BitwiseCopyable {
    var position: Int64 = 0
    /// Frames of the last quantum that have been read.
    var taken = AudioFormat.quantum
    var guardKernel: GuardKernel
  }

  /// Takes a plan.
  ///
  /// - Parameters:
  ///   - plan: what to render.
  ///   - rate: frames a second.
  ///   - clamps: whether samples above full scale are brought down to it; false for whoever mixes them.
  public init(_ plan: RenderPlan, rate: SampleRate, clamps: Bool = true) {
    self.plan = plan
    unsafe pulled = Unmanaged.passUnretained(plan)
    output = plan.output
    format = AudioFormat(rate: rate, channelCount: plan.output.channelCount)
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: State(guardKernel: GuardKernel(clamps: clamps)))
  }

  deinit {
    unsafe state.deallocate()
  }

  /// The first frame that has not been rendered.
  public var position: SampleTime { unsafe SampleTime(frames: state.pointee.position) }

  /// Samples that were above full scale and were brought down to it.
  public var clampedSampleCount: Int { unsafe state.pointee.guardKernel.clampedSampleCount }

  /// Fills memory with interleaved samples.
  ///
  /// - Parameter samples: whole frames.
  /// - Complexity: O(n) in the number of frames.
  public func read(into samples: inout MutableSpan<Float>) {
    let channelCount = format.channelCount
    precondition(samples.count % channelCount == 0, "samples must be whole frames")
    for frame in 0..<samples.count / channelCount {
      if unsafe state.pointee.taken == AudioFormat.quantum { renderQuantum() }
      for channel in 0..<channelCount {
        samples[frame &* channelCount &+ channel] = unsafe output.channel(channel)[
          state.pointee.taken]
      }
      unsafe state.pointee.taken &+= 1
    }
  }

  @_noAllocation @_noLocks
  private func renderQuantum() {
    let start = unsafe state.pointee.position
    unsafe pulled._withUnsafeGuaranteedRef { $0.render(at: SampleTime(frames: start)) }
    unsafe state.pointee.guardKernel.guardBus(output)
    unsafe state.pointee.position &+= Int64(truncatingIfNeeded: AudioFormat.quantum)
    unsafe state.pointee.taken = 0
  }
}
