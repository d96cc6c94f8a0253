// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import MusicalTime

/// Divides a plan's quanta into cycles of any number of frames, with a port for each channel.
@safe
struct PortsKernel: ~Copyable {
  /// The first frame that has not been rendered.
  private(set) var position: Int64
  private(set) var guardKernel = GuardKernel(clamps: false)
  private let plan: Unmanaged<RenderPlan>
  private let output: Bus
  /// The buffer of each port in this cycle.
  private let ports: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  /// The number of frames of the last quantum that were used.
  private var taken = AudioFormat.quantum

  /// Creates a kernel; the caller must retain the plan.
  init(_ plan: RenderPlan, from frame: Int64) {
    position = frame
    unsafe self.plan = Unmanaged.passUnretained(plan)
    output = plan.output
    unsafe ports = .allocate(capacity: plan.output.channelCount)
    unsafe ports.initialize(repeating: nil, count: plan.output.channelCount)
  }

  deinit {
    unsafe ports.deallocate()
  }

  /// The first frame of the next cycle.
  var frame: Int64 {
    @_noAllocation @_noLocks
    get { position &- Int64(truncatingIfNeeded: AudioFormat.quantum &- taken) }
  }

  /// The number of rendered frames that were not used yet.
  var framesAhead: Int {
    @_noAllocation @_noLocks
    get { AudioFormat.quantum &- taken }
  }

  /// Sets the buffer of a channel for this cycle; nil for none.
  @_noAllocation @_noLocks
  func setPort(_ channel: Int, _ samples: UnsafeMutablePointer<Float>?) {
    unsafe ports[channel] = samples
  }

  /// Renders the frames of a cycle.
  ///
  /// - Parameters:
  ///   - frameCount: The number of frames.
  ///   - stands: True while the plan's time is paused: sounding notes continue, and events after
  ///     the quantum of the pause wait.
  @_noAllocation @_noLocks
  mutating func fill(frameCount: Int, standing stands: Bool = false) {
    var done = 0
    while done < frameCount {
      if taken == AudioFormat.quantum { renderQuantum(standing: stands) }
      let step = min(AudioFormat.quantum &- taken, frameCount &- done)
      for channel in 0..<output.channelCount {
        guard let port = unsafe ports[channel] else { continue }
        let samples = unsafe output.channel(channel) + taken
        for frame in 0..<step { unsafe port[done &+ frame] = samples[frame] }
      }
      taken &+= step
      done &+= step
    }
  }

  /// Resumes time at a frame, the first of the next cycle; the rest of a quantum is dropped.
  @_noAllocation @_noLocks
  mutating func goOn(at frame: Int64) {
    position = frame
    taken = AudioFormat.quantum
  }

  @_noAllocation @_noLocks
  private mutating func renderQuantum(standing stands: Bool) {
    let start = position
    unsafe plan._withUnsafeGuaranteedRef { $0.render(at: SampleTime(frames: start)) }
    guardKernel.guardBus(output)
    if !stands { position &+= Int64(truncatingIfNeeded: AudioFormat.quantum) }
    taken = 0
  }
}
