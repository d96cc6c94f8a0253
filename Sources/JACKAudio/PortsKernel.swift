// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import MusicalTime

/// Cuts turns of any number of frames out of a plan's quanta, a channel into each port.
@safe
struct PortsKernel: ~Copyable {
  /// The first frame that has not been rendered.
  private(set) var position: Int64
  private(set) var guardKernel = GuardKernel(clamps: false)
  private let plan: Unmanaged<RenderPlan>
  private let output: Bus
  /// Where each port's samples of this turn lie.
  private let ports: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  /// Frames of the last quantum that have been taken.
  private var taken = AudioFormat.quantum

  /// Creates a kernel; the caller keeps the plan alive.
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

  /// The first frame that is taken next.
  var frame: Int64 {
    @_noAllocation @_noLocks
    get { position &- Int64(truncatingIfNeeded: AudioFormat.quantum &- taken) }
  }

  /// Frames that were rendered and not taken yet.
  var framesAhead: Int {
    @_noAllocation @_noLocks
    get { AudioFormat.quantum &- taken }
  }

  /// Names where a channel's samples of this turn go; nil for nowhere.
  @_noAllocation @_noLocks
  func setPort(_ channel: Int, _ samples: UnsafeMutablePointer<Float>?) {
    unsafe ports[channel] = samples
  }

  /// Renders a turn's frames.
  ///
  /// - Parameters:
  ///   - frameCount: how many.
  ///   - stands: whether the plan's time stands: what sounds goes on, what is due after the quantum
  ///     at which it stands waits.
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

  /// Lets time go on at a frame, the first that is taken next; what is left of a quantum is lost.
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
