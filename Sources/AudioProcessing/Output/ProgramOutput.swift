// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// An output without a device, from which your program reads frames when it needs them.
///
/// NaN and infinite samples become silence. The number of frames that are read at a time does not
/// affect the sound.
///
/// - Note: One thread at a time; `read` is real-time safe.
@safe
public final class ProgramOutput: @unchecked Sendable {
  // Unchecked: only one thread at a time uses the object.

  /// The format of the sound.
  public let format: AudioFormat
  private let plan: RenderPlan
  // The plan without reference counting, which would act as a lock.
  private let pulled: Unmanaged<RenderPlan>
  private let output: Bus
  private let state: UnsafeMutablePointer<State>

  private struct State: BitwiseCopyable {
    var position: Int64 = 0
    /// The frames of the current quantum that were read.
    var taken = AudioFormat.quantum
    var guardKernel: GuardKernel
  }

  /// Creates an output that renders a plan.
  ///
  /// - Parameters:
  ///   - plan: the plan to render.
  ///   - rate: the sample rate.
  ///   - clamps: true to limit samples to full scale; false if your program mixes the samples with
  ///     other sound afterwards.
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

  /// The first frame that is not rendered yet.
  public var position: SampleTime { unsafe SampleTime(frames: state.pointee.position) }

  /// The number of samples above full scale that were limited.
  public var clampedSampleCount: Int { unsafe state.pointee.guardKernel.clampedSampleCount }

  /// Fills memory with interleaved samples.
  ///
  /// - Parameter samples: the memory, which has space for whole frames only.
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
